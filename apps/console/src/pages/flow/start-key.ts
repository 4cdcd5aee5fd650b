/** The idempotency key of a start, stored in the tab until the start is answered, so that a repeat after a reload creates no second session (contract/sessions#start). */
import type { SessionInput } from '@flowgate/client/flow-wire';

const nameOf = (input: SessionInput): string => `flowgate.start.${JSON.stringify(input)}`;

export function keyOfStart(input: SessionInput): string {
  const name = nameOf(input);
  const stored = sessionStorage.getItem(name);
  if (stored !== null) return stored;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(name, key);
  return key;
}

export const forgetStart = (input: SessionInput): void => sessionStorage.removeItem(nameOf(input));
