/** ISO 8601 timestamps, read strictly and written in one form (contract/conventions#times-and-amounts). */

export const isoTimeForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Milliseconds since the Unix epoch, or `undefined`. Accepts `YYYY-MM-DDThh:mm[:ss[.fraction]]` followed by `Z` or `±hh:mm`: the zone is required, `T` and `Z` are
 * capital, a fraction of any length is cut to milliseconds. Refuses dates that do not exist (2027-02-30), 24:00, leap seconds, `-00:00` (which ISO 8601 forbids),
 * offsets of a day or more, and times outside the years 0000 to 9999 in UTC.
 */
export function parseIsoTime(text: string): number | undefined {
  const match = isoTimeForm.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone = ''] = match;
  const offsetMinutes = zoneMinutes(zone);
  if (offsetMinutes === undefined) return undefined;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const localMs = Date.parse(written);
  // Some parsers read 02-30 as a day in March: only a time that is written back the same exists.
  if (Number.isNaN(localMs) || new Date(localMs).toISOString() !== written) return undefined;
  const atMs = localMs - offsetMinutes * 60_000;
  return isWritable(atMs) ? atMs : undefined;
}

/** `2027-01-31T09:30:00.000Z`. */
export function isoTime(atMs: number): string {
  return new Date(atMs).toISOString();
}

function zoneMinutes(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
  if (zone === '-00:00' || hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Years of four digits only: for others `toISOString` uses another form. */
function isWritable(atMs: number): boolean {
  return atMs >= -62_167_219_200_000 && atMs <= 253_402_300_799_999;
}
