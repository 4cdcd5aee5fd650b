import { expect, test } from 'bun:test';
import { quietLog } from '../../test/fixtures/quiet-log.ts';
import type { Http1Failure, Http1Reply } from '../platform/http1-reply.ts';
import { watchNode } from './node-health.ts';

const good: Http1Reply = { ok: true, status: 200, body: '{}' };

/** A node whose next answers a test sets, and a timer that a test lets fire. */
function watched() {
  let answer: Http1Failure | 'good' = 'good';
  const sent: string[] = [];
  const armed: { ms: number; callback: () => void }[] = [];
  const transport = {
    nodeId: 'n',
    send: async (body: string): Promise<Http1Reply> => {
      sent.push(body);
      return answer === 'good' ? good : { ok: false, failure: answer, sent: answer !== 'connect', detail: '' };
    },
  };
  const node = watchNode(transport, {
    log: quietLog(),
    deadlines: {
      arm: (ms, callback) => {
        const deadline = { ms, callback };
        armed.push(deadline);
        return deadline;
      },
      disarm: (deadline) => {
        const at = armed.findIndex((one) => one.callback === deadline.callback);
        if (at >= 0) armed.splice(at, 1);
      },
    },
  });
  return {
    node,
    sent,
    armed,
    answers: (next: Http1Failure | 'good') => {
      answer = next;
    },
    /** The rest is over: the probe goes out and is answered. */
    async wakes() {
      armed.shift()?.callback();
      await Bun.sleep(0);
    },
  };
}

test('a node that fails rests; the gateway asks it again, and no caller pays for that', async () => {
  const { node, sent, armed, answers, wakes } = watched();
  answers('timeout');
  await node.send('call');
  expect(node.isResting()).toBe(true);
  expect(armed.map(({ ms }) => ms)).toEqual([1_000]);
  answers('good');
  await wakes();
  expect(node.isResting()).toBe(false);
  expect(sent).toEqual(['call', expect.stringContaining('eth_chainId')]);
  expect(armed).toHaveLength(0);
});

test('rests double with every probe that fails, up to half a minute', async () => {
  const { node, armed, answers, wakes } = watched();
  answers('connect');
  await node.send('call');
  const rests: number[] = [];
  for (let probe = 0; probe < 7; probe++) {
    rests.push(armed[0]?.ms ?? 0);
    await wakes();
  }
  expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('calls that fail together are one outage', async () => {
  const { node, armed, answers } = watched();
  answers('timeout');
  await Promise.all(Array.from({ length: 100 }, () => node.send('call')));
  expect(armed.map(({ ms }) => ms)).toEqual([1_000]);
});

test('a caller who had to be sent to a resting node, and is answered, wakes it', async () => {
  const { node, armed, answers } = watched();
  answers('broken');
  await node.send('call');
  answers('good');
  await node.send('call');
  expect(node.isResting()).toBe(false);
  expect(armed).toHaveLength(0);
});

test('being busy is no failure', async () => {
  const { node, answers } = watched();
  answers('overloaded');
  await node.send('call');
  expect(node.isResting()).toBe(false);
});

test('a closed node is probed no more', async () => {
  const { node, armed, answers } = watched();
  answers('connect');
  await node.send('call');
  node.close();
  expect(armed).toHaveLength(0);
});
