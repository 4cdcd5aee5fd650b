/** Decodes the content coding of an answer within a bound of memory. */

import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { trimBlanks } from '@flowgate/base/text';

export type Decoded =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly failure: 'malformed' | 'too-large'; readonly detail: string };

type Decoder = (
  bytes: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: Error | null, output: Uint8Array) => void,
) => void;

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gunzip],
  ['x-gzip', gunzip],
  ['deflate', inflate],
  ['br', brotliDecompress],
]);

/** One of gzip, deflate (with its zlib frame, RFC 9110 8.4.1.2) or br; combinations are refused. */
export async function decodeContent(bytes: Uint8Array, coding: string, maxBytes: number): Promise<Decoded> {
  const name = trimBlanks(coding).toLowerCase();
  if (name === '' || name === 'identity' || bytes.length === 0) return { ok: true, bytes };
  const decode = decoders.get(name);
  if (decode === undefined) return { ok: false, failure: 'malformed', detail: 'unknown content coding' };
  return new Promise((settle) => {
    decode(bytes, { maxOutputLength: maxBytes }, (error, output) => {
      if (error === null) settle({ ok: true, bytes: output });
      else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') {
        settle({ ok: false, failure: 'too-large', detail: 'body over the limit once decompressed' });
      } else settle({ ok: false, failure: 'malformed', detail: 'bad compressed body' });
    });
  });
}
