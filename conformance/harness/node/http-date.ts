// The dates of HTTP in their three forms: RFC 9110 5.6.7.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = "(?<time>[0-9]{2}:[0-9]{2}):(?<second>[0-9]{2})";
const FORMS = [
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>[0-9]{2}) (?<month>[A-Z][a-z]{2}) (?<year>[0-9]{4}) ${TIME} GMT`,
  "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, " +
    `(?<day>[0-9]{2})-(?<month>[A-Z][a-z]{2})-(?<year>[0-9]{2}) ${TIME} GMT`,
  `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[0-9]{2}| [0-9]) ${TIME} (?<year>[0-9]{4})`,
].map((form) => new RegExp(`^${form}$`));

/** A date in seconds since 1970, or null. A year of two digits is never more than fifty years ahead of `now`. */
export function httpSeconds(text: string, now: number): number | null {
  const found = FORMS.map((form) => form.exec(text)).find((one) => one !== null);
  if (!found) return null;
  const { day, month, year, time, second } = found.groups as Record<string, string>;
  const latest = new Date(now * 1000).getUTCFullYear() + 50;
  const whole = year.length === 2 ? latest - ((latest - Number(year)) % 100) : Number(year);
  const place = MONTHS.indexOf(month) + 1;
  const isLeap = second === "60"; // a leap second, which the platform has not
  const two = (number: number | string) => `${number}`.trim().padStart(2, "0");
  const date = `${`${whole}`.padStart(4, "0")}-${two(place)}-${two(day)}`;
  const moment = new Date(`${date}T${time}:${isLeap ? "59" : second}Z`);
  const isReal = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${date}T${time}`) && whole > 0;
  return isReal ? moment.getTime() / 1000 + (isLeap ? 1 : 0) : null;
}
