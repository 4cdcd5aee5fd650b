/** A node that takes calls and answers none is the only one with the newest block, through the whole engine: callers are answered as soon as another node has the block (contract/routing#time-of-a-try). */

import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createManualTime } from '@flowgate/testing/manual-time';
import { callerNamed } from '../../test/fixtures/no-policies.ts';
import { createSimChain } from '../../test/fixtures/sim-chain.ts';
import { callMs, openSimulatedEngine } from '../../test/fixtures/simulated-engine.ts';

/** One node was heard with block 31, and hangs; two others get the block after 850 ms. `ask`: the milliseconds until the calls, one or a batch, were all answered with a result. */
async function scene() {
  const time = createManualTime();
  const chain = createSimChain({ logs: 2 });
  chain.mine(30);
  const engine = openSimulatedEngine({
    ...{ chain, time, seed: 1, ownNodes: 3, sharedNodes: 0, strategy: 'ordered' },
    ...{ hasHedge: false, hasFeeds: false, forge: () => (_question, _params, honest) => honest },
  });
  const { own, port } = engine;
  const terms = {
    repeatable: true,
    caller: { userId: 'alice', caller: callerNamed('alice'), request: new AbortController() },
  };
  const questionOf = ([method, ...params]: Call) => ({ method, params: rangeOf(JSON.stringify(params)) });
  const send = (call: Call) => port.send({ ...questionOf(call), ...terms });
  await Promise.all([send(['eth_blockNumber']), time.pass(1_000)]);
  for (const node of own.slice(1)) node.delayMs = 850;
  chain.mine();
  await Promise.all([send(['eth_getBlockByNumber', 'latest', false]), time.pass(300)]);
  const [first] = own;
  if (first === undefined) throw new Error('three nodes');
  first.mode = 'hangs';
  return {
    account: chain.accounts[0],
    async ask(...calls: readonly Call[]): Promise<number> {
      const startMs = time.clock.monotonic();
      const [call] = calls;
      const sent =
        call !== undefined && calls.length === 1
          ? Promise.resolve(send(call)).then((reply) => [reply.ok && reply.answer.kind])
          : Promise.resolve(port.sendBatch({ ...terms, questions: calls.map(questionOf) })).then((reply) =>
              reply.ok && reply.answer.kind !== 'error' ? reply.answer.answers.map((each) => each?.kind) : [],
            );
      const answered = sent.then((kinds) => ({ kinds, tookMs: time.clock.monotonic() - startMs }));
      await time.pass(2 * callMs);
      const { kinds, tookMs } = await answered;
      expect(kinds.map((kind) => kind === 'result' || kind === 'buffered')).toEqual(calls.map(() => true));
      await engine.close();
      return tookMs;
    },
  };
}

type Call = readonly [string, ...unknown[]];
/** The others have the block 550 ms after the call; the gateway knows of it up to 500 ms later. */
const soonMs = 1_200;
/** Pieces are asked in rounds of four. The first round tries the hanging node for a third of the time; later ones ask it last. */
const oneTryMs = callMs / 3 + 200;

test.each(['latest', '0x1f'])('a single call for block %s', async (block) => {
  const { ask, account } = await scene();
  expect(await ask(['eth_getBalance', account, block])).toBeLessThan(soonMs);
});

test('a batch', async () => {
  const { ask, account } = await scene();
  const tookMs = await ask(['eth_getBalance', account, '0x1f'], ['eth_call', { to: account }, 'latest']);
  expect(tookMs).toBeLessThan(soonMs);
});

test.each([
  ['as one call', '0x1e', soonMs],
  ['in pieces', '0x1', oneTryMs],
] as const)('a range of logs up to the newest block, %s', async (_name, fromBlock, maxMs) => {
  const { ask } = await scene();
  expect(await ask(['eth_getLogs', { fromBlock, toBlock: 'latest' }])).toBeLessThan(maxMs);
});

test('a range of logs in a batch', async () => {
  const { ask, account } = await scene();
  const tookMs = await ask(['eth_getLogs', { fromBlock: '0x1' }], ['eth_getBalance', account, 'latest']);
  expect(tookMs).toBeLessThan(oneTryMs);
});
