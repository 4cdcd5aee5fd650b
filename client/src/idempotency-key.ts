/** Keys that make a submission safe to repeat (contract/sessions#idempotency). */

/** 32 random hexadecimal characters. Browsers have `crypto.randomUUID` only on https pages. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
