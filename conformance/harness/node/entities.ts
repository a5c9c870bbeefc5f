// References of HTML to characters: those of HTML 4, those to ASCII, and numbers. Old ones need no semicolon.

const OLD =
  "AElig c6 AMP 26 Aacute c1 Acirc c2 Agrave c0 Aring c5 Atilde c3 Auml c4 COPY a9 Ccedil c7 ETH d0 Eacute c9 " +
  "Ecirc ca Egrave c8 Euml cb GT 3e Iacute cd Icirc ce Igrave cc Iuml cf LT 3c Ntilde d1 Oacute d3 Ocirc d4 " +
  "Ograve d2 Oslash d8 Otilde d5 Ouml d6 QUOT 22 REG ae THORN de Uacute da Ucirc db Ugrave d9 Uuml dc Yacute dd " +
  "aacute e1 acirc e2 acute b4 aelig e6 agrave e0 amp 26 aring e5 atilde e3 auml e4 brvbar a6 ccedil e7 cedil b8 " +
  "cent a2 copy a9 curren a4 deg b0 divide f7 eacute e9 ecirc ea egrave e8 eth f0 euml eb frac12 bd frac14 bc " +
  "frac34 be gt 3e iacute ed icirc ee iexcl a1 igrave ec iquest bf iuml ef laquo ab lt 3c macr af micro b5 " +
  "middot b7 nbsp a0 not ac ntilde f1 oacute f3 ocirc f4 ograve f2 ordf aa ordm ba oslash f8 otilde f5 ouml f6 " +
  "para b6 plusmn b1 pound a3 quot 22 raquo bb reg ae sect a7 shy ad sup1 b9 sup2 b2 sup3 b3 szlig df thorn fe " +
  "times d7 uacute fa ucirc fb ugrave f9 uml a8 uuml fc yacute fd yen a5 yuml ff";
const OTHERS =
  "Alpha 391 Beta 392 Chi 3a7 Dagger 2021 Delta 394 DiacriticalGrave 60 Epsilon 395 Eta 397 Gamma 393 Hat 5e " +
  "Iota 399 Kappa 39a Lambda 39b Mu 39c NewLine a Nu 39d OElig 152 Omega 3a9 Omicron 39f Phi 3a6 Pi 3a0 " +
  "Prime 2033 Psi 3a8 Rho 3a1 Scaron 160 Sigma 3a3 Tab 9 Tau 3a4 Theta 398 UnderBar 5f Upsilon 3a5 " +
  "VerticalLine 7c Xi 39e Yuml 178 Zeta 396 alefsym 2135 alpha 3b1 and 2227 ang 2220 apos 27 ast 2a asymp 2248 " +
  "bdquo 201e beta 3b2 bsol 5c bull 2022 cap 2229 chi 3c7 circ 2c6 clubs 2663 colon 3a comma 2c commat 40 " +
  "cong 2245 crarr 21b5 cup 222a dArr 21d3 dagger 2020 darr 2193 delta 3b4 diams 2666 dollar 24 empty 2205 " +
  "emsp 2003 ensp 2002 epsilon 3b5 equals 3d equiv 2261 eta 3b7 euro 20ac excl 21 exist 2203 fnof 192 " +
  "forall 2200 frasl 2044 gamma 3b3 ge 2265 grave 60 hArr 21d4 harr 2194 hearts 2665 hellip 2026 image 2111 " +
  "infin 221e int 222b iota 3b9 isin 2208 kappa 3ba lArr 21d0 lambda 3bb lang 2329 larr 2190 lbrace 7b lbrack 5b " +
  "lceil 2308 lcub 7b ldquo 201c le 2264 lfloor 230a lowast 2217 lowbar 5f loz 25ca lpar 28 lrm 200e lsaquo 2039 " +
  "lsqb 5b lsquo 2018 mdash 2014 midast 2a minus 2212 mu 3bc nabla 2207 ndash 2013 ne 2260 ni 220b notin 2209 " +
  "nsub 2284 nu 3bd num 23 oelig 153 oline 203e omega 3c9 omicron 3bf oplus 2295 or 2228 otimes 2297 part 2202 " +
  "percnt 25 period 2e permil 2030 perp 22a5 phi 3c6 pi 3c0 piv 3d6 plus 2b prime 2032 prod 220f prop 221d " +
  "psi 3c8 quest 3f rArr 21d2 radic 221a rang 232a rarr 2192 rbrace 7d rbrack 5d rceil 2309 rcub 7d rdquo 201d " +
  "real 211c rfloor 230b rho 3c1 rlm 200f rpar 29 rsaquo 203a rsqb 5d rsquo 2019 sbquo 201a scaron 161 sdot 22c5 " +
  "semi 3b sigma 3c3 sigmaf 3c2 sim 223c sol 2f spades 2660 sub 2282 sube 2286 sum 2211 sup 2283 supe 2287 " +
  "tau 3c4 there4 2234 theta 3b8 thetasym 3d1 thinsp 2009 tilde 2dc trade 2122 uArr 21d1 uarr 2191 upsih 3d2 " +
  "upsilon 3c5 verbar 7c vert 7c weierp 2118 xi 3be zeta 3b6 zwj 200d zwnj 200c";

const read = (table: string) =>
  new Map(
    [...table.matchAll(/(\w+) ([0-9a-f]+)/g)].map(([, name, code]) => [
      name as string,
      String.fromCodePoint(Number.parseInt(code as string, 16)),
    ]),
  );
const BARE = read(OLD);
const NAMES = new Map([...BARE, ...read(OTHERS)]);
const MOST_OF_NAME = 32; // characters
const REFERENCE = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/g;
/** What browsers read the numbers from 128 to 159 as. */
const OF_WINDOWS =
  "\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f" +
  "\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178";

/** The character of a number: what is none becomes the replacement character, or nothing. */
function numbered(code: number): string {
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return "\ufffd";
  if (code === 0x0d) return "\r";
  if (code >= 0x80 && code <= 0x9f) return OF_WINDOWS[code - 0x80] as string;
  const isControl = code < 9 || code === 11 || (code > 13 && code < 32) || code === 127;
  const isNone = isControl || (code >= 0xfdd0 && code <= 0xfdef) || (code & 0xfffe) === 0xfffe;
  return isNone ? "" : String.fromCodePoint(code);
}

function resolved(reference: string): string {
  const name = reference.slice(1);
  if (name.startsWith("#")) {
    const isHex = /^#[xX]/.test(name);
    return numbered(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
  }
  if (name.endsWith(";") && NAMES.has(name.slice(0, -1))) return NAMES.get(name.slice(0, -1)) as string;
  for (let size = Math.min(name.length, MOST_OF_NAME); size > 1; size -= 1) {
    const found = BARE.get(name.slice(0, size));
    if (found !== undefined) return found + name.slice(size);
  }
  return reference;
}

/** A text with the characters in place of references to them. */
export const unescaped = (text: string): string => (text.includes("&") ? text.replace(REFERENCE, resolved) : text);
