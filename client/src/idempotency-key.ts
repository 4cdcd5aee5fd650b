/** Keys that make a submission safe to repeat (contract/sessions#idempotency). */

/** 32 random hexadecimal characters. `crypto.randomUUID` would do, but browsers have it on https pages only. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
