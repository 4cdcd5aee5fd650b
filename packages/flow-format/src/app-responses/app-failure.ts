/** A failure of a Flow App, and whether a retry may succeed (contract/flow-apps#answers). */

/** `detail` says what went wrong, without addresses or secrets. `retryable` is defined by contract/flow-apps#downstream. */
export type AppFailure = { readonly ok: false; readonly detail: string; readonly retryable: boolean };

export function final(detail: string): AppFailure {
  return { ok: false, detail, retryable: false };
}

export function retryable(detail: string): AppFailure {
  return { ok: false, detail, retryable: true };
}
