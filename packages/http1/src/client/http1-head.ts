/** Parses the head of an HTTP/1.1 response (RFC 9112) strictly: anything that two readers could understand differently is refused. */

export type ResponseHead = {
  readonly status: number;
  /** The number of content bytes, or how the end of the content is marked. */
  readonly body: number | 'chunked' | 'until-close';
  /** Whether the head allows another request on the connection. */
  readonly reusable: boolean;
  /** Milliseconds of the server's `Keep-Alive: timeout`; undefined when absent. */
  readonly keepAliveMs: number | undefined;
  /** The value of `Retry-After`, seconds or a date (RFC 9110 10.2.3); undefined when absent. */
  readonly retryAfter: string | undefined;
};

/** The name is `[nameStart, valueStart - 1)`; the value, with the white space around it, is `[valueStart, valueEnd)`. */
export type FieldListener = (nameStart: number, valueStart: number, valueEnd: number) => void;

const cr = 13;
const lf = 10;
const colon = 58;
const comma = 44;
/** Longer than any date, which has 29 bytes. */
const maxRetryAfterBytes = 64;
const tokenBytes = byteSet((code) => /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(code)));
const fieldBytes = byteSet((code) => code === 9 || (code >= 32 && code !== 127));

/** RFC 9110 5.6.2 `tchar`. */
export function isTokenByte(code: number | undefined): boolean {
  return code !== undefined && tokenBytes[code] === 1;
}

/** The bytes allowed in a field value or a reason phrase (RFC 9110 5.5): no control characters except the tab. */
export function isFieldByte(code: number | undefined): boolean {
  return code !== undefined && fieldBytes[code] === 1;
}

/** The index after the empty line that ends the head beginning at or before `from`, or -1. Examines about every fourth byte. */
export function findHeadEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 3; at < bytes.length; ) {
    const code = bytes[at];
    if (code === lf) {
      if (bytes[at - 1] === cr && bytes[at - 2] === lf && bytes[at - 3] === cr) return at + 1;
      at += 2;
    } else if (code === cr) at += 1;
    else at += 4;
  }
  return -1;
}

/**
 * Parses the head in `bytes[from, end)`, including its empty line. For a malformed head, returns a description of the
 * problem. A content coding is malformed unless `anyCoding` is set. `onField` is called for every field.
 */
export function parseHead(
  bytes: Uint8Array,
  from: number,
  end: number,
  anyCoding = false,
  onField?: FieldListener,
): ResponseHead | string {
  const status = readStatusLine(bytes, from);
  if (status === undefined) return 'bad status line';
  const fields = new Fields(anyCoding);
  let at = skipFieldBytes(bytes, from + 12);
  for (;;) {
    if (bytes[at] !== cr || bytes[at + 1] !== lf) return 'control character in the head';
    at += 2;
    if (at === end - 2) break;
    const nameStart = at;
    while (isTokenByte(bytes[at])) at++;
    if (at === nameStart || bytes[at] !== colon) return 'bad field name';
    const valueStart = at + 1;
    const nameLength = at - nameStart;
    at = skipFieldBytes(bytes, valueStart);
    if (nameLength >= 10 && nameLength <= 17) fields.note(bytes, nameStart, nameLength, valueStart, at);
    onField?.(nameStart, valueStart, at);
  }
  return fields.fault ?? fields.head(status, bytes[from + 7] === 49);
}

function skipFieldBytes(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isFieldByte(bytes[at])) at++;
  return at;
}

/** `HTTP/1.0` or `HTTP/1.1`, a space, three digits, then a space or the line's end (servers often omit the space when there is no reason phrase). */
function readStatusLine(bytes: Uint8Array, from: number): number | undefined {
  if (!startsLikeHttp1(bytes, from, from + 7)) return undefined;
  const minor = bytes[from + 7];
  if ((minor !== 48 && minor !== 49) || bytes[from + 8] !== 32) return undefined;
  let status = 0;
  for (let at = from + 9; at < from + 12; at++) {
    const digit = (bytes[at] ?? 0) - 48;
    if (digit < 0 || digit > 9) return undefined;
    status = status * 10 + digit;
  }
  const after = bytes[from + 12];
  return status >= 100 && status <= 599 && (after === 32 || after === cr) ? status : undefined;
}

/** Whether `bytes[from, end)` begins with `HTTP/1.` or is a prefix of it. */
export function startsLikeHttp1(bytes: Uint8Array, from: number, end: number): boolean {
  const length = Math.min(end - from, 7);
  for (let index = 0; index < length; index++) {
    if (bytes[from + index] !== 'HTTP/1.'.charCodeAt(index)) return false;
  }
  return true;
}

/**
 * The few fields that decide where a response ends and what may follow it. They are compared as bytes, so that a
 * typical head allocates no string.
 */
class Fields {
  fault: string | undefined;
  #contentLength = -1;
  #chunked = false;
  #close = false;
  #keepAliveMs: number | undefined;
  #retryAfter: string | undefined;

  constructor(private readonly anyCoding: boolean) {}

  /** The value is `bytes[valueStart, valueEnd)`, with the white space around it. */
  note(bytes: Uint8Array, nameStart: number, nameLength: number, valueStart: number, valueEnd: number): void {
    switch (nameLength) {
      case 14:
        if (isText(bytes, nameStart, 'content-length')) this.#noteLength(bytes, valueStart, valueEnd);
        break;
      case 17:
        if (isText(bytes, nameStart, 'transfer-encoding')) this.#noteTransfer(bytes, valueStart, valueEnd);
        break;
      case 16:
        if (isText(bytes, nameStart, 'content-encoding')) this.#noteEncoding(bytes, valueStart, valueEnd);
        break;
      case 11:
        if (isText(bytes, nameStart, 'retry-after') && valueEnd - valueStart <= maxRetryAfterBytes)
          this.#retryAfter = fieldText(bytes, valueStart, valueEnd);
        break;
      case 10:
        if (isText(bytes, nameStart, 'connection')) {
          if (hasClose(bytes, valueStart, valueEnd)) this.#close = true;
        } else if (isText(bytes, nameStart, 'keep-alive')) {
          const seconds = /(?:^|[ \t,;])timeout=(\d{1,6})/.exec(fieldText(bytes, valueStart, valueEnd))?.[1];
          if (seconds !== undefined) this.#keepAliveMs = Number(seconds) * 1000;
        }
        break;
    }
  }

  head(status: number, isHttp11: boolean): ResponseHead | string {
    const hasLength = this.#contentLength >= 0;
    if (this.#chunked && hasLength) return 'both Content-Length and Transfer-Encoding';
    if (this.#chunked && !isHttp11) return 'Transfer-Encoding in an HTTP/1.0 response';
    const bodyless = status < 200 || status === 204 || status === 304;
    const body = bodyless ? 0 : this.#chunked ? 'chunked' : hasLength ? this.#contentLength : 'until-close';
    // A server may send content although a response without content announces it (RFC 9110 6.4.1). That content would
    // begin the next answer.
    const mayBeFollowed = bodyless && (this.#chunked || this.#contentLength > 0);
    const reusable = isHttp11 && !this.#close && body !== 'until-close' && !mayBeFollowed;
    return { status, body, reusable, keepAliveMs: this.#keepAliveMs, retryAfter: this.#retryAfter };
  }

  #noteLength(bytes: Uint8Array, valueStart: number, valueEnd: number): void {
    const start = afterBlanks(bytes, valueStart, valueEnd);
    const end = beforeBlanks(bytes, start, valueEnd);
    let length = 0;
    for (let at = start; at < end && length >= 0; at++) {
      const digit = (bytes[at] ?? 0) - 48;
      length = digit >= 0 && digit <= 9 ? length * 10 + digit : -1;
    }
    if (this.#contentLength >= 0) this.fault = 'more than one Content-Length';
    else if (start === end || length < 0) this.fault = 'bad Content-Length';
    else this.#contentLength = length;
  }

  #noteTransfer(bytes: Uint8Array, valueStart: number, valueEnd: number): void {
    if (this.#chunked || !isValue(bytes, valueStart, valueEnd, 'chunked')) this.fault = 'unsupported Transfer-Encoding';
    this.#chunked = true;
  }

  #noteEncoding(bytes: Uint8Array, valueStart: number, valueEnd: number): void {
    if (this.anyCoding || isValue(bytes, valueStart, valueEnd, 'identity')) return;
    if (afterBlanks(bytes, valueStart, valueEnd) < valueEnd)
      this.fault = 'compressed although nothing but identity was accepted';
  }
}

/** Whether the value of a `Connection` field contains the option `close` (RFC 9110 7.6.1). */
function hasClose(bytes: Uint8Array, valueStart: number, valueEnd: number): boolean {
  for (let start = valueStart; start < valueEnd; ) {
    let end = start;
    while (end < valueEnd && bytes[end] !== comma) end++;
    if (isValue(bytes, start, end, 'close')) return true;
    start = end + 1;
  }
  return false;
}

/** Whether `bytes[start, end)`, without surrounding white space, equals `text`, ignoring case. `text` is in lower case. */
function isValue(bytes: Uint8Array, start: number, end: number, text: string): boolean {
  const from = afterBlanks(bytes, start, end);
  return beforeBlanks(bytes, from, end) - from === text.length && isText(bytes, from, text);
}

/** Whether the bytes from `from` on begin with `text`, ignoring case. `text` is in lower case. */
function isText(bytes: Uint8Array, from: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = bytes[from + index] ?? 0;
    if ((code >= 65 && code <= 90 ? code + 32 : code) !== text.charCodeAt(index)) return false;
  }
  return true;
}

function afterBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isBlank(bytes[at])) at++;
  return at;
}

function beforeBlanks(bytes: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isBlank(bytes[at - 1])) at--;
  return at;
}

/** HTTP's white space around a value (RFC 9110 5.6.3). */
function isBlank(code: number | undefined): boolean {
  return code === 32 || code === 9;
}

/** A field's value in lower case, without the white space around it. */
function fieldText(bytes: Uint8Array, from: number, end: number): string {
  const start = afterBlanks(bytes, from, end);
  const last = beforeBlanks(bytes, start, end);
  let text = '';
  for (let at = start; at < last; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text.toLowerCase();
}

function byteSet(holds: (code: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (holds(code) ? 1 : 0));
}
