/**
 * The filter id that callers receive: the node and the node's own id, sealed for one user and network
 * (docs/decisions/0095).
 */

import { rangeOf } from '@flowgate/bytes/byte-range';
import { elementAt, skipBlank } from '@flowgate/json/valid-json';
import type { JsonText } from '../../../upstream/port/node-port.ts';
import { plainText } from '../contract-calls/strict-object.ts';
import type { SealedHex } from './sealed-hex.ts';

export type NodeFilter = { readonly nodeId: string; readonly id: string };

/** In characters: longer than the ids that nodes create. */
const maxOwnIdLength = 128;
/**
 * In characters. It covers the longest nodeId that the configuration allows, the node's own id and the overhead of
 * sealing.
 */
const maxSealedLength = 1_024;

/** The error for an unknown filter, with the message that most nodes use. */
export const filterNotFound = rangeOf('{"code":-32000,"message":"filter not found"}');
export const filterIdMissing = rangeOf('{"code":-32602,"message":"missing value for required argument 0"}');

export class FilterIds {
  /** `network`: for example `ethereum/mainnet`. */
  constructor(
    private readonly sealed: SealedHex,
    private readonly network: string,
  ) {}

  /** Seals the id in a node's result and returns JSON text. Undefined when the result is not a valid id. */
  sealedResult(result: JsonText, nodeId: string, userId: string): JsonText | undefined {
    const json = result.bytes.subarray(result.start, result.end);
    const id = result.length > maxOwnIdLength + 2 ? undefined : plainText(json, 0, isIdByte);
    if (id === undefined || id.length === 0 || id.length + 2 !== json.length) return undefined;
    return rangeOf(`"${this.sealed.seal(`${nodeId} ${id}`, this.#context(userId))}"`);
  }

  /**
   * Opens the filter id in the first parameter. `unknown`: the id was not sealed for this user and network. `missing`:
   * there is no parameter.
   */
  named(params: JsonText | undefined, userId: string): NodeFilter | 'unknown' | 'missing' {
    if (params === undefined) return 'missing';
    const json = params.bytes.subarray(params.start, params.end);
    const at = elementAt(json, skipBlank(json, 0, json.length), json.length, 0);
    if (at < 0) return 'missing';
    const text = plainText(json, at, isIdByte);
    const opened =
      text === undefined || text.length > maxSealedLength ? undefined : this.sealed.open(text, this.#context(userId));
    if (opened === undefined) return 'unknown';
    const space = opened.indexOf(' ');
    return { nodeId: opened.slice(0, space), id: opened.slice(space + 1) };
  }

  #context(userId: string): string {
    return `${this.network} ${userId}`;
  }
}

/** Printable ASCII without quote, backslash and space. */
function isIdByte(byte: number): boolean {
  return byte > 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
}
