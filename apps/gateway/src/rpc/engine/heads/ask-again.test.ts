import { expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evm } from '@flowgate/chain/families/evm';
import { createManualTime } from '@flowgate/testing/manual-time';
import { createSimChain } from '../../../../test/fixtures/sim-chain.ts';
import { createSimHeads } from '../../../../test/fixtures/sim-heads.ts';
import type { NodeAnswer, NodeCall, NodeReply } from '../../../upstream/port/node-port.ts';
import { askAgain } from './ask-again.ts';
import { neededHeight } from './needed-height.ts';

type Reply = NodeReply<NodeAnswer>;

const reply = (nodeId: string, result: unknown): Reply => ({
  ok: true,
  nodeId,
  answer: { kind: 'result', raw: rangeOf(JSON.stringify(result)) },
});
const timedOut: Extract<Reply, { ok: false }> = { ok: false, failure: 'timeout', maybeDelivered: true };

/** Two operator's nodes and a reported head of 41. `known`: their known heights. `caughtUp`: their known heights after the head was refreshed. */
function scene(known: Record<string, number>, caughtUp = known) {
  const chain = createSimChain();
  chain.mine(41);
  const { clock, timerWheel, pass } = createManualTime();
  let heights = known;
  const heads = {
    ...createSimHeads(chain),
    heightOf: (nodeId: string) => heights[nodeId],
    reportedHeight: () => 41,
    async refresh() {
      heights = caughtUp;
      return heads.head();
    },
  };
  const ownNodes = () => [{ nodeId: 'a' }, { nodeId: 'b' }];
  const deps = {
    ...{ heads, ownNodes, noteHead: () => {}, isNodeError: () => false },
    ...{ clock, timerWheel, timeoutMs: 9_000 },
  };
  const asked: Pick<NodeCall, 'leftOut' | 'timeoutMs'>[] = [];
  return {
    asked,
    /** Sends a call that node `a` has answered. `then`: the replies to the repeated calls. */
    async ask(method: string, params: readonly unknown[], evaluated: 'wrong' | 'absent', then: readonly Reply[]) {
      const replies = [...then];
      const call = { method, params: rangeOf(JSON.stringify(params)), repeatable: true };
      const port = {
        send({ leftOut, timeoutMs }: NodeCall) {
          asked.push({ leftOut, timeoutMs });
          return replies.shift() ?? timedOut;
        },
        sendBatch: () => timedOut,
      };
      const evaluatedCall = {
        port,
        call,
        needed: neededHeight(evm, call),

        endMs: clock.monotonic() + 9_000,
      };
      const answered = askAgain(deps, evaluatedCall, reply('a', null), evaluated);
      await pass(9_000);
      return answered;
    },
  };
}

const balance = ['0x', 'latest'];

test('a node that answered too early is asked again after it has caught up', async () => {
  const { ask, asked } = scene({ a: 40, b: 41 }, { a: 41, b: 41 });
  expect(await ask('eth_getBalance', balance, 'wrong', [reply('a', '0x1')])).toMatchObject({ ok: true, nodeId: 'a' });
  expect(asked).toEqual([{ leftOut: undefined, timeoutMs: 9_000 }]);
});

test.each([
  ['an old answer', 'wrong'],
  ['null for a known block', 'absent'],
] as const)(
  'while the node that gave %s is excluded, the other nodes have a third of the time: all of them may hang',
  async (_name, evaluated) => {
    const { ask, asked } = scene({ a: 41, b: 41 });
    const block = { number: '0x29' };
    const then = [timedOut, reply('b', block)];
    expect(await ask('eth_getBlockByNumber', ['0x29', false], evaluated, then)).toMatchObject({
      ok: true,
      nodeId: 'b',
    });
    expect(asked).toEqual([
      { leftOut: new Set(['a']), timeoutMs: 3_000 },
      { leftOut: undefined, timeoutMs: 8_900 },
    ]);
  },
);
