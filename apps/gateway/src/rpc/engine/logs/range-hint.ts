/** Reads the number of blocks that a node allows in one call from its refusal of a large `eth_getLogs` (contract/logs#refused-by-a-node). */

/** In characters of an error; providers' texts are shorter. */
const maxReadLength = 2_048;

/** `[0x64, 0x95]`: the range that Alchemy, Infura, zkSync and similar providers propose. */
const inHex = /\[\s{0,4}0x([0-9a-f]{1,13}),\s{0,4}0x([0-9a-f]{1,13})\s{0,4}\]/i;
/** `retry with the range 100-200`: Reth. */
const inDecimals = /range (\d{1,15})-(\d{1,15})/;
const count = '([0-9][0-9,_]{0,12}k?)';
/** Texts before or after the allowed number of blocks. */
const limits: readonly RegExp[] = [
  // QuickNode, dRPC, Polygon's: `is limited to a 10,000 range`, `limited to 0 - 50 blocks range`.
  new RegExp(`limited to (?:an? |0 ?- ?)?${count}`),
  // Alchemy: `requests with up to a 10 block range`.
  new RegExp(`up to (?:an? )?${count} block`),
  // dRPC: `ranges over 10000 blocks are not supported on freetier`.
  new RegExp(`ranges? over ${count} block`),
  // PublicNode, Morph, Ankr, Reth: `exceed maximum block range: 50000`, `max block range = 5000`, `query exceeds max block range 100000`.
  new RegExp(`max(?:imum)?(?: allowed)?(?: block| blocks)? range[ :=]{1,4}(?:is |of )?${count}`),
  // Infura, Tenderly, others: `range 1000000 exceeds limit of 10000`, `is bigger than range limit 2000`, `the limit is 100`.
  new RegExp(`limit(?: is| of|:| =)? ${count}`),
  // `maximum is set to 2048`, `Maximum allowed number of requested blocks is 1000`, `max is 5000`.
  new RegExp(`max(?:imum)?(?: allowed)?(?: number)?(?: of)?(?: requested)?(?: blocks?)? is (?:set to )?${count}`),
  // `block range exceeds 10000`, `cannot be larger than 1024 blocks`.
  new RegExp(`(?:range|distance|blocks)[^0-9\\[]{0,24}(?:exceeds?|than|exceeded) ${count}`),
  new RegExp(`than ${count} blocks`),
];

/** `error`: the text of a JSON-RPC error. Undefined when it names no number of blocks. */
export function rangeHint(error: string): number | undefined {
  const text = error.slice(0, maxReadLength).toLowerCase().replaceAll('eth_getlogs', '');
  const proposed = inHex.exec(text);
  if (proposed !== null)
    return blocksIn(Number.parseInt(proposed[1] ?? '', 16), Number.parseInt(proposed[2] ?? '', 16));
  const retried = inDecimals.exec(text);
  if (retried !== null) return blocksIn(Number(retried[1]), Number(retried[2]));
  // A number of results, or of requests per second, is not a number of blocks.
  if (!/block|range/.test(text) || /returned more than|max results|too many results/.test(text)) return undefined;
  for (const limit of limits) {
    const found = limit.exec(text)?.[1];
    if (found !== undefined) return numberOf(found);
  }
  return undefined;
}

function blocksIn(from: number, to: number): number | undefined {
  return to >= from ? to - from + 1 : undefined;
}

function numberOf(text: string): number | undefined {
  const digits = Number(text.replace(/[,_k]/g, ''));
  const blocks = text.endsWith('k') ? digits * 1_000 : digits;
  return Number.isSafeInteger(blocks) && blocks > 0 ? blocks : undefined;
}
