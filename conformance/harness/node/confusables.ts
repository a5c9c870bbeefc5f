// Characters that look like an ASCII character that a header, a mark of a template or the name of a role has: what
// Unicode's list of confusables says of them. Each is written by its code in base 36.

const CODES: Record<string, string> = {
  "[":
    "l5 l7 30a 30c 4gr 6dh 6x4 6x6 6xo 6xq 71d 71e 71f 71s 7s8 7sa 7si 7ut 7vq 7vu 7vw 7vy 877 879 87b 87d " +
    "87f 87h 87j 87n 87p 87r 89k 89m 942 944 946 948 95h 95j 95l 95n 9hm 9ho 9hq 9hs 9hw 9hy 9i0 9i2 1e0u " +
    "1e6v 1e7t 1e7v 1e7x 1e81 1e83 1e87 1e8t 1eez 1efz 1eg2",
  "]":
    "l6 l8 30b 30d 4gs 6di 6x5 6x7 6xp 6xr 71g 71h 71i 71t 7s9 7sb 7sj 7uu 7vr 7vv 7vx 7vz 878 87a 87c 87e " +
    "87g 87i 87k 87o 87q 87s 89l 89n 943 945 947 949 95i 95k 95m 95o 9hn 9hp 9hr 9ht 9hx 9hz 9i1 9i3 1e0v " +
    "1e6w 1e7u 1e7w 1e7y 1e82 1e84 1e88 1e8u 1ef1 1eg0 1eg3",
  ":":
    "k0 l4 13d 14z 1dv 1dw 1s3 22r 3tt 3tx 3ty 4j0 4qr 4qs 4qx 6e2 6e5 6ra 6rb 6s4 8hi wl9 wz8 x3d 1e6r 1e7k " +
    "1e8l 1ee2",
  "<": "jm 3zs 4he 6d5 6t6 6y1 7sc 7se 7sg 7vs 87l 8ak 9hk 1e7z 1e90 1ee4 2k3a",
  ">": "jn 3zn 6d6 6t7 6y2 7sd 7sf 7sh 7vt 87m 8al 9hl 1e80 1e91 1ee6 20jj 2k3b",
  "|": "4m cg 14w 1us 6c6 6qr 6qt 720 721 72o 7b6 7b7 7ba 7bb 7be 7bf 7dd 7rs 7rt 7ru 9i9 ffs 1efw 1ejs",
  "#": "7lb 8y4 1e8v 1edf",
  "&": "x2w 1e8w 1edi",
  "/": "4l1 6dd 6dg 6qd 7e9 7uz 8ag 8ue 9ab 9ir 9n2 9ub fgf 1edr 2k3e",
  2: "br rs 43j wuc wz3 x22",
  3: "c7 f0 t3 yo 8uk x2i x4b 1jgq 20jf 2k1y",
  4: "3wu 1jfz",
  5: "cc 1jgb",
  6: "tt 3xq 8uq 1jh1",
  7: "1fiq 1jgm 2k2a",
  8: "f6 f7 1yi 222 26b 1f6i 2ojv",
  9: "1yl 21z 294 2nh 8ui x2m 1jfw 1jgs 1jh2",
  a: "gh pd q9 sw ts 3vu 4at 70a wku 1f34 20jk 2kyw 2kzm 2l0i 2l18 2l24 2l2u 2l3q 2l4g 2l5c 2l62",
  b: "as pe sy to 3wv 3xw 41e 4a7 4c7 wk0 x4k 1f2a 1f35 1f5t 2kyx 2l0j 2l25 2l3r 2l5d",
  c: "s2 s9 td u9 3xb 5qc 8tg 8th wka xwv 1f36 1f5u 1fdh 1fel 1fks 1jhl 1jhu 2rf0",
  d: "zl 3vk 3xj 41b 4bi 4bu wk2 wk3",
  e: "ph t1 tx xp 3vw 6jy 6wv 8xl wkw xte 1f2e 1jfq 1jfy 2kz0 2l0m 2l28 2l3u 2l5g",
  f: "rg 138 4ac 61p wkd x3s x3t xth 1f2f 1f39 1fl1 1jfm 1jgi 2k2b 2l6y",
  g: "b1 gx zw 135 3wg 3xv 5tv wk6",
  h: "pj t9 xn 12o 3wb 3wi 48s 8su wkn 1f4f 2kz2 2l0o 2l2a 2l3w 2l5i",
  i: "8h h5 h6 kb oq qh uu y7 3vp 69q 703 wuf xv9 1jgj 2kys 2kzu 2l1g 2l32 2l4o 2l6a",
  j: "ov s3 so uw 3vv 425 wk9 x4i",
  k: "pm t6 3xi 4id 8t0 wk7 1fko 2kz5 2l0r 2l2d 2l3z 2l5l",
  l:
    "ba pl sm xs 15h 15r 17r 19d 1dd 1je 3xa 42y 4ht 73x 8sy 8uo 8y7 wkh wky 1ea5 1ea6 1f2i 1f61 1f6o 1fdn " +
    "1fl2 1jfn 1jg2 20ie 20iw 2k2y 2kz4 2l0q 2l2c 2l3y 2l5k 2ojr 2pkw 2pog",
  m: "po sa t8 3w7 4c0 4ie 8t4 wkf 1f3k 1f69 2kz7 2l0t 2l2f 2l41 2l5n",
  n: "pp 12w 130 8t6 wkg 1fkj 2kz8 2l0u 2l2g 2l42 2l5o",
  o:
    "pr qn qr ta u6 11x 139 15t 18n 19h 1by 1c1 1cl 1dh 1j4 1uu 1ye 21y 25i 274 292 2cm 2de 2g6 2gy 2jq 2ki " +
    "2lc 2na 2o2 2ts 2xc 36l 37k 3cv 3ps 5qn 5qp 8ta 8tb 8yc 9hj wkz xtp 1dpi 1dpj 1dpk 1dpl 1dpm 1dpn 1dpo " +
    "1dpp 1ecp 1ecq 1ecr 1ecs 1f2q 1f3f 1fd0 1fe4 1fia 1fje 1fkm 1iog 1jg5 1jgo 1jh3 1jhc 2kza 2l00 2l04 " +
    "2l0w 2l1m 2l1q 2l2i 2l38 2l3c 2l44 2l4u 2l4y 2l5q 2l6g 2l6k 2plw 2pno 2pok",
  p:
    "pt qp s1 tc u8 3xe 419 704 8te 8tf wk1 1f2t 2kzc 2l02 2l0g 2l0y 2l1o 2l22 2l2k 2l3a 2l3o 2l46 2l4w 2l5a " +
    "2l5s 2l6i 2l6w",
  q: "10b 12b 12e 8yd",
  r: "bq tv 3vl 3wy 493 5ra 8sl wkj xtz xu0 xvl 1fhw 20j9 2k2e",
  s: "cd sl ut 11r 3x1 3x6 wki x0x xwq 1f2u 1fds 1few 1jgh 20je",
  t: "pw te 3vm 6uc 7vd 8ti wk4 1f2v 1f3l 1f6d 1jgc 20i2 2kzf 2l11 2l2n 2l49 2l5v 2rfs",
  u: "i3 qt 11p 131 3k0 40c 5r0 6qy 6v7 wl0 x3z xu6 xua 1fim 1fjq 1jg8 1jh4 20jm 2l06 2l1s 2l3e 2l50 2l6m",
  v:
    "ql vo vp 15k 19j 1dj 3x5 3zj 5r4 6qw 6v5 8xk wkm wyn xwp 1fkt 1j46 1jfk 1jgg 20i0 2k25 2kzy 2l1k 2l36 " +
    "2l4s 2l6e",
  w: "hb v5 10c 10d 129 3w3 3x0 5r5 wkq xvn 1j4a 1j4e 1j4f 1jhi 1jhr",
  x:
    "5z pz th ud 475 48t 4fh 4fi 4hj 7eb 84r 84s 8bz 8to 8yl wkr x4j 1f2o 1f3o 1f6f 1f6q 1fl3 1jho 2kzi 2l14 " +
    "2l2q 2l4c 2l5y",
  y:
    "gz i7 px qb r6 tf ub xa xb 3c7 3vt 3wd 5u4 64f 6kd 8tk wks xui 1f3m 1jfo 1jh8 20jn 2kzg 2kzo 2l12 2l1a " +
    "2l2o 2l2w 2l4a 2l4i 2l5w 2l64",
  z: "pi 3wj 5r6 wkc xw3 1f5h 1jft 1jgk 1jhh 2kz1 2l0n 2l29 2l3v 2l5h",
};

/** The ASCII character that a character looks like. */
export const LOOKALIKES = new Map<string, string>();
for (const [target, codes] of Object.entries(CODES)) {
  for (const code of codes.split(" ")) LOOKALIKES.set(String.fromCodePoint(Number.parseInt(code, 36)), target);
}

/** The characters that look like one. */
export const alike = (target: string): string[] =>
  [...LOOKALIKES].filter(([, one]) => one === target).map(([one]) => one);
