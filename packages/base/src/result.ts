/** The outcome of a use: a value, or a refusal with a reason from its own closed list. Refusals are values; bugs are thrown. */

export type Ok<T> = { readonly ok: true; readonly value: T };

/** `detail` is a sentence for the caller: it names the problem and contains no secret. */
export type Refused<R extends string> = { readonly ok: false; readonly reason: R; readonly detail?: string };

export type Result<T, R extends string> = Ok<T> | Refused<R>;

export function ok<T>(value: T): Ok<T> {
  return { ok: true, value };
}

export function refused<R extends string>(reason: R, detail?: string): Refused<R> {
  return detail === undefined ? { ok: false, reason } : { ok: false, reason, detail };
}
