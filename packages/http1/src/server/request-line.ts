/** Reads the first line of a request: method, target and version (RFC 9112 3). */

import { isTokenByte } from '../client/http1-head.ts';
import { authorityForm } from './authority.ts';
import { type HeadFault, wrongHead } from './head-fault.ts';
import { isText, maxRepeatedLength } from './repeated-text.ts';

export const maxTargetBytes = 16_384;
/** The target, a method, two spaces and a version. */
export const maxLineBytes = maxTargetBytes + 64;

const cr = 13;
const lf = 10;
const blank = 32;
const versionName = 'HTTP/';

export class RequestLine {
  method = '';
  /** As received; for the absolute form, the part after the authority. Begins with `/`, except for `OPTIONS *`. */
  target = '';
  /** The authority of a target in absolute form; undefined for the other forms. */
  authority: string | undefined;
  /** The minor version of HTTP/1.x. */
  minor = 1;

  /** The values of the previous request on this connection; the target only if it began with `/`. */
  #lastMethod = '';
  #lastTarget = '';

  /**
   * Returns the index of the first field. Values read before a fault remain set, so that a refusal can use the path's
   * envelope.
   */
  read(bytes: Buffer, from: number): number | HeadFault {
    this.method = '';
    this.target = '';
    this.authority = undefined;
    this.minor = 1;
    let at = from;
    while (isTokenByte(bytes[at])) at++;
    if (at === from || bytes[at] !== blank) return wrongHead('The request line must begin with a method.');
    const isSameMethod = isText(bytes, from, at, this.#lastMethod);
    this.method = isSameMethod ? this.#lastMethod : bytes.toString('latin1', from, Math.min(at, from + maxLineBytes));
    this.#lastMethod = this.method;
    if (!isSameMethod) this.#lastTarget = '';
    const targetStart = at + 1;
    at = targetStart;
    while (isTargetByte(bytes[at])) at++;
    if (at === targetStart || bytes[at] !== blank) return wrongHead('The request target is not valid.');
    if (isSameMethod && isText(bytes, targetStart, at, this.#lastTarget)) this.target = this.#lastTarget;
    else {
      // Of a line that is too long, only the part within the limit is checked.
      const fault = this.#readTarget(
        bytes.toString('latin1', targetStart, Math.min(at, targetStart + maxTargetBytes + 1)),
      );
      if (fault !== undefined) return fault;
      this.#lastTarget = this.authority === undefined && this.target.length <= maxRepeatedLength ? this.target : '';
    }
    return this.#readVersion(bytes, at + 1) ?? at + 11;
  }

  /** `HTTP/1.0` or `HTTP/1.1` and the line's end. */
  #readVersion(bytes: Buffer, from: number): HeadFault | undefined {
    for (let index = 0; index < versionName.length; index++)
      if (bytes[from + index] !== versionName.charCodeAt(index)) return noVersion;
    const major = bytes[from + 5];
    const minor = bytes[from + 7];
    if (!isDigit(major) || bytes[from + 6] !== 46 || !isDigit(minor)) return noVersion;
    if (bytes[from + 8] !== cr || bytes[from + 9] !== lf) return noVersion;
    // There is no HTTP/1.2 and never will be: no correct client sends it.
    if (major !== 49 || (minor !== 48 && minor !== 49)) return unknownVersion;
    this.minor = minor === 48 ? 0 : 1;
    return undefined;
  }

  #readTarget(target: string): HeadFault | undefined {
    if (target.length > maxTargetBytes) {
      if (target.startsWith('/')) this.target = target.slice(0, maxTargetBytes);
      return longTarget;
    }
    if (target.includes('#')) return wrongHead('A request target must not have a fragment.');
    // One reader would read the following bytes as those of a tunnel, another one as a request.
    if (this.method === 'CONNECT') return noTunnel;
    if (target.startsWith('/') || (target === '*' && this.method === 'OPTIONS')) {
      this.target = target;
      return undefined;
    }
    return this.#readAbsolute(target);
  }

  #readAbsolute(target: string): HeadFault | undefined {
    const scheme = /^https?:\/\//i.exec(target)?.[0];
    if (scheme === undefined) return wrongHead('The request target is not valid.');
    const rest = target.slice(scheme.length);
    const path = rest.search(/[/?]/);
    const authority = path < 0 ? rest : rest.slice(0, path);
    if (authority === '' || !authorityForm.test(authority))
      return wrongHead('The authority of the request target is not valid.');
    const after = path < 0 ? '/' : rest.slice(path);
    this.authority = authority;
    this.target = after.startsWith('/') ? after : `/${after}`;
    return undefined;
  }
}

export const longTarget: HeadFault = {
  status: 414,
  detail: `A request target has at most ${maxTargetBytes} bytes.`,
};

const noTunnel: HeadFault = { status: 501, detail: 'CONNECT is not supported.' };
const unknownVersion: HeadFault = { status: 505, detail: 'This gateway speaks HTTP/1.1 and HTTP/1.0.' };
const noVersion = wrongHead('The request line must end with an HTTP version.');

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= 48 && code <= 57;
}

/** Visible ASCII: everything else in a target must be percent-encoded (RFC 3986 2.1). */
function isTargetByte(code: number | undefined): boolean {
  return code !== undefined && code > 32 && code < 127;
}
