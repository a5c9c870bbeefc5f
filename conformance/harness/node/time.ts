// Timestamps: any RFC 3339 spelling comes in, and one goes out. Normalized Message 3.1 and 7.

const DAY = /(\d{4})-(\d\d)-(\d\d)/.source;
const TIME = /([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?/.source;
const OFFSET = /(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))/.source;
const RFC3339 = new RegExp(`^${DAY}[Tt ]${TIME}${OFFSET}$`);

/**
 * The moment of a timestamp in UTC: `Z`, and a fraction only where it is not zero, of six digits at most. Undefined for
 * what is no timestamp with an offset. A leap second is the last microsecond before it.
 */
export function utcTime(text: string): string | undefined {
  const found = RFC3339.exec(text);
  if (found === null) return undefined;
  const [, ...parts] = found as unknown as string[];
  type Six = [number, number, number, number, number, number];
  const [year, month, day, hour, minute, second] = parts.slice(0, 6).map(Number) as Six;
  const [fraction = "", sign, hours = "0", minutes = "0"] = parts.slice(6);
  const isLeap = second === 60;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  if (year < 1 || moment.getUTCMonth() !== month - 1 || moment.getUTCDate() !== day) return undefined;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  moment.setUTCHours(hour, minute - offset, isLeap ? 59 : second);
  if (moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) return undefined;
  const digits = isLeap ? "999999" : fraction.slice(0, 6).replace(/0+$/, "");
  return `${moment.toISOString().slice(0, 19)}${digits && `.${digits}`}Z`;
}

/** The one form of a time that is signed: RFC 3339 in UTC with a capital `Z`, without leap seconds. */
const SIGNED = /^[0-9-]{10}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]{1,9})?Z$/;

/** The moment of a time that is signed; undefined for every other form. */
export const signedTime = (text: string): string | undefined => (SIGNED.test(text) ? utcTime(text) : undefined);

const PER_SECOND = 1_000_000n;
const LAST = 253_402_300_799_999_999n; // the last microsecond of the year 9999

/** The microseconds since 1970 of a timestamp in the form of `utcTime`. */
export function microsOf(text: string): bigint {
  const [whole, fraction = ""] = text.slice(0, -1).split(".");
  return (BigInt(Date.parse(`${whole}Z`)) / 1000n) * PER_SECOND + BigInt(fraction.padEnd(6, "0"));
}

/** The timestamp of so many microseconds since 1970; the last that there is for one beyond it. */
export function timeText(micros: bigint): string {
  if (micros > LAST) return "9999-12-31T23:59:59.999Z";
  const rest = ((micros % PER_SECOND) + PER_SECOND) % PER_SECOND;
  const whole = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, 19);
  const digits = `${rest}`.padStart(6, "0").replace(/0+$/, "");
  return `${whole}${digits && `.${digits}`}Z`;
}

/** Seconds as microseconds. */
export const microsIn = (seconds: number): bigint => BigInt(Math.round(seconds * 1e6));
