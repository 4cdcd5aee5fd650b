/** ISO 8601 timestamps, read strictly and written in one form (contract/conventions#times-and-amounts). */

export const isoTimeForm = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Milliseconds since the Unix epoch, or `undefined`. Read is `YYYY-MM-DDThh:mm[:ss[.fraction]]` followed by `Z` or `±hh:mm`: the zone is required, capital `T` and `Z`,
 * a fraction of any length is cut to milliseconds. Refused are dates that the calendar lacks (2027-02-30), 24:00, leap seconds, `-00:00` (which
 * ISO 8601 forbids), offsets of a day or more, and moments outside the years 0000 to 9999 in UTC.
 */
export function parseIsoTime(text: string): number | undefined {
  const match = isoTimeForm.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone = ''] = match;
  const offsetMinutes = zoneMinutes(zone);
  if (offsetMinutes === undefined) return undefined;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  const localMs = Date.parse(written);
  // Some parsers roll 02-30 over into March: only what is written back the same was a moment of the calendar.
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

/** Four-digit years only: beyond them `toISOString` changes its form. */
function isWritable(atMs: number): boolean {
  return atMs >= -62_167_219_200_000 && atMs <= 253_402_300_799_999;
}
