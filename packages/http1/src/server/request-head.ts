/** Reads the head of an HTTP/1.1 request (RFC 9112) strictly: anything that two readers could understand differently is refused. */

import { trimBlanks } from '@flowgate/base/text';
import { authorityForm } from './authority.ts';
import { type HeadFault, wrongHead } from './head-fault.ts';
import { HeaderFields } from './header-fields.ts';
import { RequestLine } from './request-line.ts';

/** RFC 9110 9.1 and RFC 5789. Other methods get 501. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);

/**
 * Maximum number of options of `Connection` in one head: tens of thousands would cost more than the rest of the head.
 */
const maxOptions = 64;

/** Reused for each request of its connection: `parse` clears the previous one. */
export class RequestHead {
  readonly line = new RequestLine();
  readonly fields = new HeaderFields();
  /** The number of content bytes, or how the end of the content is marked. */
  body: number | 'chunked' = 0;
  /** Whether the caller may send another request on this connection. */
  isPersistent = true;
  /** The caller waits for `100 Continue` before it sends the content. */
  expectsContinue = false;
  /** Further requests may arrive before this one is answered. HTTP/1.0 has no pipelining, and after an upgrade another protocol may follow (RFC 9110 7.8). */
  allowsPipelining = true;

  /**
   * Whether `Upgrade` applies: it is named by `Connection`, in HTTP/1.1, in a request without content. Another protocol
   * cannot begin after content.
   */
  mayUpgrade = false;

  #hosts = 0;
  #lastHost = '';
  #lengths = 0;
  #length = 0;
  /** The value of Transfer-Encoding; `list` means several codings, parameters, or a malformed value. */
  #coding: 'none' | 'chunked' | 'unknown' | 'list' = 'none';
  #options = 0;
  #closes = false;
  #staysOpen = false;
  #upgrades = false;

  /** Reads `bytes[from, end)`, which ends with the empty line (`findHeadEnd`). */
  parse(bytes: Buffer, from: number, end: number): HeadFault | undefined {
    this.#forget();
    const fieldsStart = this.line.read(bytes, from);
    if (typeof fieldsStart !== 'number') return fieldsStart;
    return this.fields.read(bytes, fieldsStart, end, from, this.#note) ?? this.#evaluate();
  }

  /**
   * The target of a refused head, as far as it can be read; empty when unreadable. It decides the envelope of the
   * refusal.
   */
  targetOf(bytes: Buffer, from: number): string {
    this.line.read(bytes, from);
    return this.line.target;
  }

  /** The answer has been sent: the head's bytes are released. */
  release(): void {
    this.fields.forget();
  }

  #forget(): void {
    this.fields.forget();
    this.body = 0;
    this.isPersistent = true;
    this.expectsContinue = false;
    this.#upgrades = false;
    this.#hosts = 0;
    this.#lengths = 0;
    this.#length = 0;
    this.#coding = 'none';
    this.#options = 0;
    this.#closes = false;
    this.#staysOpen = false;
  }

  /** The few fields that decide where a request ends and what may follow it. */
  readonly #note = (index: number, nameLength: number): HeadFault | undefined => {
    const { fields } = this;
    switch (nameLength) {
      case 4:
        return fields.isNamed(index, 'host') ? this.#noteHost(fields.value(index)) : undefined;
      case 6:
        return fields.isNamed(index, 'expect') ? this.#noteExpect(fields.value(index)) : undefined;
      case 10:
        return fields.isNamed(index, 'connection') ? this.#noteConnection(fields.value(index)) : undefined;
      case 14:
        return fields.isNamed(index, 'content-length') ? this.#noteLength(index) : undefined;
      case 17:
        if (fields.isNamed(index, 'transfer-encoding')) this.#noteCoding(index);
        return undefined;
      default:
        return undefined;
    }
  };

  #noteHost(value: string): HeadFault | undefined {
    this.#hosts += 1;
    if (this.#hosts > 1) return wrongHead('There is more than one Host.');
    // Usually equal to that of the previous request.
    if (value !== this.#lastHost && !authorityForm.test(value)) return wrongHead('Host is not valid.');
    this.#lastHost = value;
    const { authority } = this.line;
    if (authority === undefined || authority.toLowerCase() === value.toLowerCase()) return undefined;
    return wrongHead('The request target names another host than Host.');
  }

  #noteLength(index: number): HeadFault | undefined {
    this.#lengths += 1;
    if (this.#lengths > 1) return wrongHead('There is more than one Content-Length.');
    const length = this.fields.number(index);
    if (length < 0 || this.fields.hasTabs(index)) return wrongHead('Content-Length is not valid.');
    this.#length = length;
    return undefined;
  }

  #noteCoding(index: number): void {
    const coding = this.fields.value(index).toLowerCase();
    if (this.#coding !== 'none' || this.fields.hasTabs(index)) this.#coding = 'list';
    else if (coding === 'chunked') this.#coding = 'chunked';
    else this.#coding = /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(coding) ? 'unknown' : 'list';
  }

  #noteExpect(value: string): HeadFault | undefined {
    if (value.toLowerCase() !== '100-continue') return { status: 417, detail: 'Expect must be 100-continue.' };
    this.expectsContinue = true;
    return undefined;
  }

  #noteConnection(value: string): HeadFault | undefined {
    for (let from = 0; from <= value.length; ) {
      const comma = value.indexOf(',', from);
      const end = comma < 0 ? value.length : comma;
      const name = trimBlanks(value.slice(from, end)).toLowerCase();
      from = end + 1;
      this.#options += 1;
      if (this.#options > maxOptions) return wrongHead('Connection has too many options.');
      if (name === 'close') this.#closes = true;
      else if (name === 'keep-alive') this.#staysOpen = true;
      else if (name === 'upgrade') this.#upgrades = true;
    }
    return undefined;
  }

  #evaluate(): HeadFault | undefined {
    const { minor, method } = this.line;
    if (this.#coding !== 'none') {
      if (this.#lengths > 0) return wrongHead('There are both Content-Length and Transfer-Encoding.');
      if (minor === 0) return wrongHead('Transfer-Encoding is not allowed in HTTP/1.0.');
      if (this.#coding === 'list') return wrongHead('Transfer-Encoding is not valid.');
      if (this.#coding === 'unknown')
        return { status: 501, detail: 'The only supported Transfer-Encoding is chunked.' };
    }
    if (minor === 1 && this.#hosts === 0) return wrongHead('There is no Host.');
    if (!methods.has(method)) return { status: 501, detail: 'The method is not supported.' };
    // RFC 9110 9.3.8.
    if (method === 'TRACE' && (this.#lengths > 0 || this.#coding !== 'none')) return wrongHead('TRACE has no content.');
    this.body = this.#coding === 'chunked' ? 'chunked' : this.#length;
    this.isPersistent = !this.#closes && (minor === 1 || this.#staysOpen);
    this.allowsPipelining = minor === 1 && !this.#upgrades;
    this.mayUpgrade = minor === 1 && this.#upgrades && this.body === 0;
    // An HTTP/1.0 caller does not understand interim answers (RFC 9110 10.1.1).
    this.expectsContinue &&= minor === 1 && this.body !== 0;
    return undefined;
  }
}
