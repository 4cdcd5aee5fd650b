/**
 * A text that one caller chose does not delay others, wherever it appears: in a node's error, in a path, in a header.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { startFakeNode } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

const node = startFakeNode();
let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({
    config: {
      limits: { userPerMinute: 100_000 },
      networks: [
        {
          dlt: 'a',
          networkId: 'x',
          chainId: 31337,
          default: true,
          nodes: [
            {
              nodeId: 'n',
              url: `${node.url}/v2/provider-key-012345?q=query-value`,
              headers: { Authorization: 'Bearer token-value' },
            },
          ],
        },
      ],
    },
  });
  key = (await gateway.mint()).apiKey;
});
afterAll(async () => {
  await gateway.stop();
  await node.stop();
});

/** Prefixes of everything that the gateway searches for. */
const pieces = [
  'eyJ-',
  'eyJ',
  'fk_',
  'fk%5f',
  '%25',
  '\\\\',
  '\\u0025',
  'https://',
  'https:\\/\\/a@',
  '://@',
  'provider-key-01234',
  'Bearer ',
  '\\"',
  '***',
];

/** The longest time without a response of the process during `work`. */
async function maxStallDuringLength(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let maxMs = 0;
  const watch = (async () => {
    while (!isOver) {
      const startedMs = systemClock.monotonic();
      await (await gateway.fetch('/healthz')).text();
      maxMs = Math.max(maxMs, systemClock.monotonic() - startedMs);
    }
  })();
  await work();
  isOver = true;
  await watch;
  return maxMs;
}

/** A busy machine stalls the process occasionally; a pattern that is not linear always does. */
async function expectNoStall(work: () => Promise<unknown>): Promise<void> {
  const stalls: number[] = [];
  for (let nth = 0; nth < 4; nth++) {
    const stallMs = await maxStallDuringLength(work);
    if (stallMs < 500) return;
    stalls.push(stallMs);
  }
  expect(stalls).toEqual([]);
}

test('while a node repeats texts of 160 KB and more in its error, health checks are answered', async () => {
  node.behave((body) => {
    const { id, params } = JSON.parse(body);
    return Response.json({
      jsonrpc: '2.0',
      id,
      error: { code: -32602, message: `invalid: ${params[0]}`, data: params },
    });
  });
  for (const bytes of [80_000, 125_000, 500_000])
    await expectNoStall(async () => {
      for (const piece of pieces) {
        const text = piece.repeat(bytes / piece.length);
        const answer = await gateway.rpc(key, { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [text] });
        const { id, status } = JSON.parse(await answer.text());
        // The gateway does not pass on errors of more than a megabyte (contract/bounds#sizes: all errors of one answer).
        expect(id === 1 || (status === 502 && bytes > 200_000)).toBe(true);
      }
    });
});

test('a path of sixteen kilobytes does not delay other callers, and appears shortened in the response', async () => {
  await expectNoStall(async () => {
    for (const piece of ['eyJ-', 'fk_', '%66', '%65yJ-', '/', '..;', 'a@', '%25'])
      for (const prefix of ['/', '/rpc/', '/users/me/', '/flow/'])
        for (let nth = 0; nth < 4; nth++) {
          const answer = await gateway.fetch(prefix + piece.repeat(15_000 / piece.length), { redirect: 'manual' });
          expect((await answer.text()).length).toBeLessThan(4_000);
        }
  });
});
