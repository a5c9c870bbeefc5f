"use strict";
// The page works without this. It shows times in the words and the zone of whoever reads, and asks before what cannot
// be undone.

const MINUTE = 60, HOUR = 3600, DAY = 86400;
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const near = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

/** A time that is near in words, another one as a date. */
function words(moment) {
  const seconds = (moment - Date.now()) / 1000, size = Math.abs(seconds);
  if (size < MINUTE) return near.format(Math.round(seconds), "second");
  if (size < HOUR) return near.format(Math.round(seconds / MINUTE), "minute");
  if (size < DAY) return near.format(Math.round(seconds / HOUR), "hour");
  return exact.format(moment);
}

for (const time of document.querySelectorAll("time[datetime]")) {
  const moment = new Date(time.dateTime);
  if (Number.isNaN(moment.getTime())) continue;
  time.title = exact.format(moment);
  time.textContent = words(moment);
}

for (const form of document.querySelectorAll("form[data-confirm]"))
  form.addEventListener("submit", (event) => { if (!confirm(form.dataset.confirm)) event.preventDefault(); });
