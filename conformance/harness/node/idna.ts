// Unicode domains as A-labels by IDNA 2008 (RFC 5891, RFC 5892), which takes less than the URL parser of the platform:
// that one maps what it does not know, and takes symbols. Here only what needs no mapping is left to it; it checks the
// rules of joiners and of directions, and writes the A-labels.

import { domainToASCII, domainToUnicode } from "node:url";

/** Letters, marks and digits in small letters; `LetterDigits` of RFC 5892 2.1, less those that change when folded. */
const LETTER = /^[\p{Ll}\p{Lo}\p{Lm}\p{Mn}\p{Mc}\p{Nd}]$/u;

const VALID = new Set("\u00df\u03c2\u06fd\u06fe\u0f0b\u3007"); // RFC 5892 2.6: valid although their classes say no
const NEVER = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u; // RFC 5892 2.6: not, although their classes say yes
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/u;
const OLD_HANGUL = /[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u;

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().normalize("NFKC");

/** Whether a character may stand in a label wherever it is (PVALID). */
function isValid(character: string): boolean {
  if (/[a-z0-9-]/.test(character) || VALID.has(character)) return true;
  if (NEVER.test(character) || IGNORABLE.test(character) || OLD_HANGUL.test(character)) return false;
  return LETTER.test(character) && folded(character) === character;
}

/** The signs that join the consonants of Indian scripts (canonical combining class 9). */
const VIRAMA = new RegExp(
  String.raw`[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84` +
  String.raw`\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c\ua8c4` +
  String.raw`\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}\u{11133}\u{11134}\u{111c0}` +
  String.raw`\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}\u{116b6}\u{1172b}\u{11839}` +
  String.raw`\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}\u{11d44}\u{11d45}\u{11d97}]`,
  "u",
);

type Around = (label: string[], at: number) => boolean;
/** For each character that needs others around it: whether it has them (CONTEXTO, RFC 5892 appendix A). */
const CONTEXT: Record<string, Around> = {
  "\u00b7": (label, at) => label[at - 1] === "l" && label[at + 1] === "l",
  "\u0375": (label, at) => /\p{Script=Greek}/u.test(label[at + 1] ?? ""),
  "\u05f3": (label, at) => /\p{Script=Hebrew}/u.test(label[at - 1] ?? ""),
  "\u05f4": (label, at) => /\p{Script=Hebrew}/u.test(label[at - 1] ?? ""),
  "\u30fb": (label) => label.some((one) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(one)),
  "\u200c": () => true, // the URL parser looks around this one
  "\u200d": (label, at) => VIRAMA.test(label[at - 1] ?? ""),
};
const ARABIC = /[\u0660-\u0669]/u;
const EXTENDED_ARABIC = /[\u06f0-\u06f9]/u;
/** What is read from right to left. Digits of Arabic stand among its letters alone; marks go with any letter. */
const RIGHT_TO_LEFT = /(?!\p{Mn})[\u0590-\u065f\u066a-\u06ef\u06fa-\u08ff]/u;
const ALL_RIGHT_TO_LEFT = new RegExp(RIGHT_TO_LEFT, "gu");

/** Whether what is read from right to left stands alone, and begins with a letter (RFC 5893 2, for one label). */
function isOneWay(label: string): boolean {
  const others = label.replace(ALL_RIGHT_TO_LEFT, "");
  return others === label || (RIGHT_TO_LEFT.test([...label][0]) && !/\p{L}/u.test(others));
}

/** Whether no hyphen and no mark stands where no label has one, and every reader sees its signs in one order. */
export const isInOrder = (label: string): boolean =>
  !/^\p{M}/u.test(label) &&
  !/^-|-$|^..--/su.test(label) &&
  !(ARABIC.test(label) && (EXTENDED_ARABIC.test(label) || !RIGHT_TO_LEFT.test(label))) &&
  isOneWay(label);

function isLabel(label: string): boolean {
  const characters = [...label];
  const fits = (character: string, at: number) =>
    Object.hasOwn(CONTEXT, character) ? (CONTEXT[character] as Around)(characters, at) : isValid(character);
  return isInOrder(label) && characters.every(fits);
}

/** Whether a label that is an A-label already stands for one that may be. */
export function isALabel(label: string): boolean {
  const meant = domainToUnicode(label);
  return isLabel(meant) && domainToASCII(meant) === label;
}

/** A Unicode domain in A-labels; empty when it is none. */
export function asciiDomain(host: string): string {
  const lower = host.toLowerCase();
  const isSameLength = [...lower].length === [...host].length;
  const becomesAscii = [...host].some((one) => one > "\u007f" && one.toLowerCase() < "\u0080");
  const text = lower.normalize("NFC");
  const isPlain = (label: string) => /^[\u0000-\u007f]*$/u.test(label) && !/^..--/.test(label);
  const fits = (label: string) => (label.startsWith("xn--") ? isALabel(label) : isPlain(label) || isLabel(label));
  if (host.length > 253 || !isSameLength || becomesAscii || !text.split(".").every(fits)) return "";
  return URL.canParse(`https://${text}/`) ? new URL(`https://${text}/`).hostname : "";
}
