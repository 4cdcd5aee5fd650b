/** Removes credentials from callers' paths and request ids before logs and errors show them (contract/conventions#secrets). */

import { maskTokens } from '@flowgate/telemetry/redaction/mask-tokens';
import { maskApiKeys } from '../../api/credential.ts';

const maskedKey = /^fk_(?:[0-9A-Za-z]{16}\.)?\*\*\*$/;

/** In characters; longer than any known path. Only the beginning of a longer path is shown and searched. */
const maxShownPathLength = 1_024;

/** A key is replaced by its id; other text in a key's place is removed. */
export function maskedPath(path: string, lastSegmentIsKey: boolean): string {
  const isCut = path.length > maxShownPathLength;
  const shown = isCut ? path.slice(0, maxShownPathLength) : path;
  const plain = withoutNeedlessEscapes(shown);
  const masked = withoutCredentials(plain);
  const rest = isCut ? '…' : '';
  if (!lastSegmentIsKey) return (masked === plain ? shown : masked) + rest;
  const at = masked.lastIndexOf('/') + 1;
  const key = masked.slice(at);
  return masked.slice(0, at) + (maskedKey.test(key) ? key : '***') + rest;
}

/** A caller's request id is used unless it contains a credential, because headers and error bodies repeat it. */
export function isSafeRequestId(id: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) && withoutCredentials(id) === id;
}

function withoutCredentials(text: string): string {
  return maskTokens(maskApiKeys(text), '***');
}

/** `%66k_` is `fk_` (RFC 3986, 6.2.2.2): keys are masked in every encoding. */
function withoutNeedlessEscapes(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([2-7][0-9a-f])/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[0-9A-Za-z._~-]/.test(character) ? character : escaped;
  });
}
