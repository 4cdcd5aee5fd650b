import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { errorFault } from '../../../upstream/response/error-faults.ts';
import { rangeHint } from './range-hint.ts';

/** Errors of nodes and providers for an `eth_getLogs` that is too large, and the number of blocks that they allow. */
const wordings: readonly (readonly [who: string, code: number, message: string, blocks: number | undefined])[] = [
  ['Geth', -32000, 'exceed max block range: 5000', 5_000],
  ['Geth', -32000, 'query exceeds max results 20000, retry with the range 100-149', 50],
  ['Geth', -32000, 'query returned more than 10000 results', undefined],
  ['Erigon', -32000, 'query block range exceeds server limit 1000', 1_000],
  ['Reth', -32602, 'query exceeds max block range 100000', 100_000],
  ['Reth', -32602, 'query exceeds max results 20000, retry with the range 16000000-16000099', 100],
  ['Besu', -32005, 'Requested range exceeds maximum RPC range limit', undefined],
  ['Nethermind', -32005, 'Too many logs requested. Max logs per response is 20000.', undefined],
  [
    'Alchemy',
    -32602,
    'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0xc5dc00, 0xc614a7]',
    14_504,
  ],
  [
    'Alchemy',
    -32600,
    'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x64, 0x6d]. Upgrade to PAYG for expanded block range.',
    10,
  ],
  ['Alchemy', -32600, 'You can make eth_getLogs requests with up to a 500 block range.', 500],
  ['Alchemy', -32008, 'Response size is larger than 150MB limit.', undefined],
  ['Infura', -32005, 'query returned more than 10000 results. Try with this block range [0xCB3D, 0x7B737].', 453_627],
  ['Infura', -32602, 'range 1000000 exceeds limit of 10000', 10_000],
  [
    'zkSync',
    -32602,
    'Query returned more than 10000 results. Try with this block range [0x118dc91, 0x1198cc3].',
    45_107,
  ],
  ['QuickNode', -32614, 'eth_getLogs is limited to a 10,000 range', 10_000],
  ['QuickNode', -32602, 'eth_getLogs is limited to a 5 block range', 5],
  ['Polygon', -32602, 'eth_getLogs is limited to 0 - 50 blocks range', 50],
  ['Ankr', -32600, 'block range is too wide', undefined],
  [
    'Chainstack',
    -32602,
    'Block range limit exceeded. See more details at https://docs.chainstack.com/docs/limits#evm-range-limits.',
    undefined,
  ],
  ['PublicNode', -32701, 'exceed maximum block range: 50000', 50_000],
  ['dRPC', 35, 'ranges over 10000 blocks are not supported on freetier', 10_000],
  ['Tenderly', -32602, 'range 9009594 is bigger than range limit 2000', 2_000],
  ['Morph', -32000, 'block range is larger than max block range, block range = 5120, max block range = 5000', 5_000],
  ['SimplyVC', -32000, 'too wide blocks range, the limit is 100', 100],
  ['Avalanche', -32000, 'requested too many blocks from 0 to 16777216, maximum is set to 2048', 2_048],
  ['Blockdaemon', -32005, 'Log response size exceeded. Maximum allowed number of requested blocks is 1000', 1_000],
  ['BlastAPI', -32000, 'block range greater than 500 max', 500],
  ['Cloudflare', -32047, 'Invalid eth_getLogs request. fromBlock-toBlock range too large. Max range: 800', 800],
  ['Cronos', -32000, 'maximum [from, to] blocks distance: 2000', undefined],
];

for (const [who, code, message, blocks] of wordings)
  test(`${who}, ${code}: ${message.slice(0, 70)}: ${blocks ?? 'no number of blocks'} (contract/logs#refused-by-a-node)`, () => {
    const error = JSON.stringify({ code, message });
    expect(rangeHint(error)).toBe(blocks);
    // Either the number or the fault shows that the size is the reason.
    if (blocks === undefined) expect(errorFault(rangeOf(error))).toBe('too-much');
  });

test('the number may be in the error’s data (Tenderly)', () => {
  expect(
    rangeHint('{"code":-32602,"message":"invalid params","data":{"payload":"range 9 is bigger than range limit 2"}}'),
  ).toBe(2);
});

test('errors that are not about the size are none', () => {
  for (const [code, message] of [
    [-32000, 'execution reverted'],
    [-32602, 'invalid argument 0: hex string without 0x prefix'],
    [-32000, 'One of the blocks specified in filter (fromBlock, toBlock or blockHash) cannot be found.'],
  ] as const)
    expect([errorFault(rangeOf(JSON.stringify({ code, message }))), rangeHint(message)]).not.toContain('too-much');
  for (const message of [
    '50/second request limit reached',
    'daily request limit 100000 exceeded',
    'limit of 10 batches',
  ])
    expect(rangeHint(message)).toBeUndefined();
});
