import { describe, expect, test } from 'bun:test';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmChainQuestion } from '../../../test/fixtures/chain-questions.ts';
import {
  answered,
  otherChain,
  proof,
  result,
  type Scripted,
  scriptedNode,
} from '../../../test/fixtures/scripted-node.ts';
import type { NodeFault } from '../port/node-faults.ts';

type Watched = ReturnType<typeof scriptedNode>;

/** Sends a call and records its outcome, like the pool. */
async function call({ node, clock }: Watched): Promise<NodeFault | undefined> {
  const ticket = node.take(clock.monotonic());
  const reply = await node.send({ method: 'call', params: undefined, repeatable: true });
  node.note(reply, ticket);
  return reply.ok ? undefined : reply.fault;
}

async function calls(watched: Watched, count: number): Promise<void> {
  for (let at = 0; at < count; at++) await call(watched);
}

const good = result('"yes"');
const namesAWait = (retryAfter: string): Scripted => ({ ok: true, status: 429, content: rangeOf(''), retryAfter });

describe('a node that fails', () => {
  test('once is logged, and its circuit stays closed', async () => {
    const watched = scriptedNode('n', 'broken', good);
    await call(watched);
    expect([watched.node.isCircuitOpen(), watched.node.hasFailedLast(), watched.released]).toEqual([false, true, []]);
    expect(watched.lines).toEqual([
      { event: 'node.failed', fields: { nodeId: 'n', failure: 'broken', sent: true, detail: '' } },
    ]);
    await call(watched);
    expect(watched.node.hasFailedLast()).toBe(false);
  });

  test('repeatedly does not fill the log', async () => {
    const watched = scriptedNode('n', ...Array.from({ length: 100 }, (_, at) => (at % 4 === 0 ? 'broken' : good)));
    await calls(watched, 100);
    expect([watched.node.isCircuitOpen(), watched.lines.length]).toEqual([false, 1]);
    watched.clock.advance(10_000);
    watched.script('broken');
    await calls(watched, 3);
    expect(watched.lines).toHaveLength(2);
  });

  test('until its circuit opens releases calls that wait for a connection, and is logged once', async () => {
    const watched = scriptedNode('n', 'connect');
    await calls(watched, 20);
    expect([watched.node.isCircuitOpen(), watched.released]).toEqual([true, [false]]);
    expect(watched.lines.map(({ event }) => event)).toEqual(['node.failed', 'node.circuit-open']);
  });

  test('by hanging until its circuit opens loses its open connections, which may hang as well', async () => {
    const watched = scriptedNode('n', 'timeout');
    await calls(watched, 10);
    expect([watched.node.isCircuitOpen(), watched.released]).toEqual([true, [true]]);
  });

  test('recovers after two probes were answered, and this is logged', async () => {
    const watched = scriptedNode('n', 'connect');
    await calls(watched, 5);
    watched.script(good);
    watched.clock.advance(1_000);
    expect(watched.node.isDue(watched.clock.monotonic())).toBe(true);
    await call(watched);
    expect(watched.node.isCircuitOpen()).toBe(true);
    await call(watched);
    expect([watched.node.isCircuitOpen(), watched.lines.at(-1)?.event]).toEqual([false, 'node.recovered']);
  });

  test('is checked soon, so that its status follows', async () => {
    const watched = scriptedNode('n', 'connect');
    watched.node.start();
    await watched.probe();
    expect(watched.nextProbeMs()).toBe(15_000);
    await calls(watched, 5);
    expect(watched.nextProbeMs()).toBe(1_000);
  });

  test('is not checked after close, not even by a check in flight', async () => {
    const watched = scriptedNode('n', good);
    watched.node.start();
    const probe = watched.probe();
    watched.node.close();
    await probe;
    expect(watched.timers()).toBe(0);
  });
});

describe('Retry-After of a provider', () => {
  test.each([
    ['7', 7_000],
    ['0', 0],
    ['-3', 0],
    ['soon', 0],
    ['86400', 300_000],
    ['999999999', 300_000],
    ['Fri, 15 Jan 2027 08:00:30 GMT', 30_000],
    ['fri, 15 jan 2027 08:00:30 gmt', 30_000],
    ['Fri, 15 Jan 2027 07:00:00 GMT', 0],
  ])('%s is a cool-down of %i ms', async (retryAfter, ms) => {
    const watched = scriptedNode('n', namesAWait(retryAfter));
    expect(new Date(watched.clock.now()).toISOString()).toBe('2027-01-15T08:00:00.000Z');
    expect(await call(watched)).toBe('refused');
    expect([watched.node.isCircuitOpen(), watched.node.coolDownMs()]).toEqual([ms > 0, ms]);
    watched.clock.advance(ms);
    expect(watched.node.isCircuitOpen()).toBe(false);
  });

  test('lasts although other calls were answered meanwhile, and a shorter one does not end it', async () => {
    const watched = scriptedNode('n', namesAWait('60'), namesAWait('1'), good);
    await calls(watched, 3);
    expect([watched.node.isCircuitOpen(), watched.node.coolDownMs()]).toEqual([true, 60_000]);
    watched.clock.advance(59_999);
    expect(watched.node.isCircuitOpen()).toBe(true);
  });

  test('delays the probe of a node whose circuit is open', async () => {
    const watched = scriptedNode('n', 'connect', 'connect', 'connect', 'connect', 'connect', namesAWait('60'));
    await calls(watched, 6);
    watched.clock.advance(2_000);
    expect(watched.node.isDue(watched.clock.monotonic())).toBe(false);
    watched.clock.advance(58_000);
    expect(watched.node.isDue(watched.clock.monotonic())).toBe(true);
  });

  test('of a check delays the next one', async () => {
    const watched = scriptedNode('n', good);
    watched.whenProbed(namesAWait('40'));
    watched.node.start();
    await watched.probe();
    expect([watched.nextProbeMs(), watched.node.isCircuitOpen()]).toEqual([40_000, false]);
  });
});

describe('health checks', () => {
  test('run at the start and at each interval', async () => {
    const watched = scriptedNode('n', good);
    watched.node.start();
    expect(watched.nextProbeMs()).toBe(0);
    for (let probe = 0; probe < 3; probe++) {
      await watched.probe();
      expect(watched.nextProbeMs()).toBe(15_000);
    }
    expect([watched.asked, watched.lines]).toEqual([[evmChainQuestion, evmChainQuestion, evmChainQuestion], []]);
  });

  test('repeat after a pause that doubles while they fail, and the first failure is logged', async () => {
    const watched = scriptedNode('n', good);
    watched.whenProbed('connect');
    watched.node.start();
    const waits: unknown[] = [];
    for (let probe = 0; probe < 7; probe++) {
      await watched.probe();
      waits.push(watched.nextProbeMs());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect([watched.node.isUnhealthy(), watched.lines.length]).toEqual([true, 1]);
  });

  test('neither open the circuit nor probe for it (contract/routing#circuit-breaker)', async () => {
    const watched = scriptedNode('n', good);
    watched.whenProbed('connect');
    watched.node.start();
    for (let probe = 0; probe < 20; probe++) await watched.probe();
    expect(watched.node.isCircuitOpen()).toBe(false);
    watched.script('connect');
    await calls(watched, 5);
    watched.whenProbed(proof);
    for (let probe = 0; probe < 20; probe++) await watched.probe();
    expect([watched.node.isUnhealthy(), watched.node.isCircuitOpen()]).toEqual([false, true]);
  });

  test('succeed only with a valid answer for the right chain', async () => {
    const wrong: Scripted[] = [
      ...['', '<html>', '{}', 'null', 'yes'].map((body) => answered(body)),
      'broken',
      'too-large',
      ...[
        '{"jsonrpc":"2.0","id":0}',
        '{"jsonrpc":"2.0","id":1,"result":"0x7"}',
        '{"jsonrpc":"2.0","result":"0x7"}',
      ].map((body) => answered(body)),
      ...[
        '{"jsonrpc":"2.0","id":0,"result":7}',
        '{"jsonrpc":"2.0","id":0,"result":"7"}',
        `[${proof.ok && proof.content.text()}]`,
      ].map((body) => answered(body)),
      answered('{"jsonrpc":"2.0","id":0,"error":{"code":-32005,"message":"limit exceeded"},"result":"0x7"}'),
      answered('{"jsonrpc":"2.0","id":0,"result":"0x7"}', 429),
      answered('{"jsonrpc":"2.0","id":0,"result":"0x7"}', 500),
      answered(`{"jsonrpc":"2.0","id":0,"result":"0x7","x":"${'y'.repeat(5_000)}"}`),
    ];
    for (const probed of wrong) {
      const watched = scriptedNode('n', good);
      watched.whenProbed(probed);
      watched.node.start();
      for (let probe = 0; probe < 3; probe++) await watched.probe();
      expect([probed, watched.node.isUnhealthy()]).toEqual([probed, true]);
    }
  });
});

test('a busy gateway says nothing about a node', async () => {
  const watched = scriptedNode('n', 'overloaded');
  await calls(watched, 20);
  expect([watched.node.isCircuitOpen(), watched.node.hasFailedLast()]).toEqual([false, false]);
});

describe('a node of another chain', () => {
  test('is excluded from the probe that found it until a probe finds the right chain, and is logged once', async () => {
    const watched = scriptedNode('n', good);
    watched.whenProbed(otherChain);
    watched.node.start();
    const waits: unknown[] = [];
    for (let probe = 0; probe < 7; probe++) {
      await watched.probe();
      expect([watched.node.isOut(), watched.node.head()]).toEqual([true, undefined]);
      waits.push(watched.nextProbeMs());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(watched.lines).toEqual([{ event: 'node.wrong-chain', fields: { nodeId: 'n', expected: '7', found: '8' } }]);
    expect(watched.released.every((drop) => drop)).toBe(true);
    watched.whenProbed('connect');
    await watched.probe();
    expect(watched.node.isOut()).toBe(true);
    watched.whenProbed(proof);
    await watched.probe();
    expect(watched.node.isOut()).toBe(false);
    expect(watched.lines.at(-1)?.event).toBe('node.recovered');
  });

  test('is excluded after a new connection found it, and no answer includes it', async () => {
    const watched = scriptedNode('n', { ok: false, failure: 'unfit', sent: false, detail: 'chain id 8' }, good);
    await call(watched);
    expect([watched.node.isOut(), watched.nextProbeMs()]).toEqual([true, 1_000]);
    await call(watched);
    expect(watched.node.isOut()).toBe(true);
  });
});
