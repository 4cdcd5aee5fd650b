/** Removes credentials from callers' paths and request ids before they are shown where everybody can read them (contract/conventions#secrets). */

import { maskTokens } from '@flowgate/telemetry/redaction/mask-tokens';
import { maskApiKeys } from '../../api/credential.ts';

const maskedKey = /^fk_(?:[0-9A-Za-z]{16}\.)?\*\*\*$/;

/** In characters: longer than any known path. Of a longer one only the beginning is shown, and only that is searched. */
const maxShownPathLength = 1_024;

/** A key is replaced by its id; any other text in the place of a key is removed. */
export function shownPath(path: string, lastSegmentIsKey: boolean): string {
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

/** A caller's own request id is kept, unless it contains a credential: it is repeated in headers and error bodies. */
export function isKeepableRequestId(id: string): boolean {
  return /^[A-Za-z0-9._-]{1,128}$/.test(id) && withoutCredentials(id) === id;
}

function withoutCredentials(text: string): string {
  return maskTokens(maskApiKeys(text), '***');
}

/** `%66k_` is `fk_` (RFC 3986, 6.2.2.2): keys are masked in every spelling. */
function withoutNeedlessEscapes(path: string): string {
  if (!path.includes('%')) return path;
  return path.replace(/%([2-7][0-9a-f])/gi, (escaped, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[0-9A-Za-z._~-]/.test(character) ? character : escaped;
  });
}
