import { describe, expect, test } from 'bun:test';
import { evmChainQuestion } from '../../test/fixtures/chain-questions.ts';
import { answered, otherChain, proof, result, type Scripted, scriptedNode } from '../../test/fixtures/scripted-node.ts';
import { rangeOf } from '../platform/bytes/byte-range.ts';
import type { NodeFault } from './node-faults.ts';
import type { FailedTry } from './node-transport.ts';

type Watched = ReturnType<typeof scriptedNode>;

/** Sends a call and notes its outcome, like the pool. */
async function call({ node }: Watched): Promise<NodeFault | undefined> {
  const outage = node.outage();
  const reply = await node.send({ method: 'call', params: undefined, repeatable: true });
  node.note(reply, outage);
  return reply.ok ? undefined : reply.fault;
}

const good = result('"yes"');
const timeout: FailedTry = { ok: false, fault: 'timeout', failure: 'timeout', mayHaveArrived: true, detail: '' };
const tellsToWait = (retryAfter: string): Scripted => ({ ok: true, status: 429, content: rangeOf(''), retryAfter });

describe('a node that failed', () => {
  test('rests; the gateway asks it again, and no caller pays for that', async () => {
    const watched = scriptedNode('n', 'broken', good);
    await call(watched);
    expect([watched.node.isResting(), watched.nextProbeMs(), watched.released]).toEqual([true, 1_000, [false]]);
    await watched.probe();
    expect([watched.node.isResting(), watched.nextProbeMs()]).toEqual([false, 15_000]);
    expect(watched.asked).toEqual(['call', evmChainQuestion]);
    expect(watched.lines.map(({ event }) => event)).toEqual(['node.failed', 'node.recovered']);
  });

  test('by taking too long is asked at once, since it may be the call that is slow; its idle connections are dropped', async () => {
    const watched = scriptedNode('n', 'timeout');
    await call(watched);
    expect([watched.node.isResting(), watched.nextProbeMs(), watched.released]).toEqual([true, 0, [true]]);
    watched.whenProbed('timeout');
    await watched.probe();
    expect([watched.node.isResting(), watched.nextProbeMs()]).toEqual([true, 2_000]);
  });

  test('again and again, and answers nothing but probes, rests longer each time', async () => {
    const watched = scriptedNode('n', 'timeout');
    const rests: unknown[] = [];
    for (let at = 0; at < 7; at++) {
      await call(watched);
      rests.push(watched.nextProbeMs());
      await watched.probe();
      expect(watched.node.isResting()).toBe(false);
    }
    expect(rests).toEqual([0, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    watched.script(good);
    await call(watched);
    watched.script('timeout');
    await call(watched);
    expect(watched.nextProbeMs()).toBe(0);
  });

  test('rests twice as long with every probe that fails, up to half a minute', async () => {
    const watched = scriptedNode('n', 'connect');
    watched.whenProbed('connect');
    await call(watched);
    const rests: unknown[] = [];
    for (let probe = 0; probe < 7; probe++) {
      rests.push(watched.nextProbeMs());
      await watched.probe();
    }
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('is woken by no probe but a real answer for the right chain', async () => {
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
      const watched = scriptedNode('n', 'broken');
      await call(watched);
      watched.whenProbed(probed);
      await watched.probe();
      expect([probed, watched.node.isResting()]).toEqual([probed, true]);
    }
  });

  test('with calls that fail together has had one outage, also when it recovers between them', async () => {
    const watched = scriptedNode('n', 'timeout');
    const calls = Array.from({ length: 100 }, () => call(watched));
    await Promise.all(calls);
    expect(watched.lines).toHaveLength(1);
    const outage = watched.node.outage() - 1;
    await watched.probe();
    watched.node.note(timeout, outage);
    expect(watched.node.isResting()).toBe(false);
  });

  test('is woken by a caller who had to be sent to it, not by one who was sent before', async () => {
    const watched = scriptedNode('n', 'broken', good);
    const before = watched.node.outage();
    await call(watched);
    watched.node.note({ ok: true, nodeId: 'n', answer: undefined }, before);
    expect(watched.node.isResting()).toBe(true);
    await call(watched);
    expect([watched.node.isResting(), watched.nextProbeMs()]).toEqual([false, 15_000]);
  });

  test('is probed no more once it is closed, not even by a probe that was under way', async () => {
    const watched = scriptedNode('n', 'connect');
    await call(watched);
    const probe = watched.probe();
    watched.node.close();
    await probe;
    expect(watched.timers()).toBe(0);
  });
});

describe('Retry-After of a provider', () => {
  test.each([
    ['7', 7_000],
    ['0', 1_000],
    ['-3', 1_000],
    ['soon', 1_000],
    ['86400', 300_000],
    ['999999999', 300_000],
    ['Fri, 15 Jan 2027 08:00:30 GMT', 30_000],
    ['fri, 15 jan 2027 08:00:30 gmt', 30_000],
    ['Fri, 15 Jan 2027 07:00:00 GMT', 1_000],
  ])('%s is a rest of %i ms', async (retryAfter, ms) => {
    const watched = scriptedNode('n', tellsToWait(retryAfter));
    expect(new Date(watched.clock.now()).toISOString()).toBe('2027-01-15T08:00:00.000Z');
    expect(await call(watched)).toBe('refused');
    expect(watched.nextProbeMs()).toBe(ms);
  });

  test('is kept although callers who had to be sent there were answered', async () => {
    const watched = scriptedNode('n', tellsToWait('60'), good);
    await call(watched);
    await call(watched);
    expect([watched.node.isResting(), watched.nextProbeMs()]).toEqual([true, 60_000]);
    await watched.probe();
    expect(watched.node.isResting()).toBe(false);
  });

  test('of a probe counts too', async () => {
    const watched = scriptedNode('n', 'broken');
    await call(watched);
    watched.whenProbed(tellsToWait('40'));
    await watched.probe();
    expect(watched.nextProbeMs()).toBe(40_000);
  });
});

describe('a healthy node', () => {
  test('is probed when it is started and at every interval', async () => {
    const watched = scriptedNode('n', good);
    watched.node.start();
    expect(watched.nextProbeMs()).toBe(0);
    for (let probe = 0; probe < 3; probe++) {
      await watched.probe();
      expect(watched.nextProbeMs()).toBe(15_000);
    }
    expect([watched.asked, watched.lines]).toEqual([[evmChainQuestion, evmChainQuestion, evmChainQuestion], []]);
  });

  test('rests when a probe fails', async () => {
    const watched = scriptedNode('n', good);
    watched.whenProbed(answered('<html>', 503));
    watched.node.start();
    await watched.probe();
    expect([watched.node.isResting(), watched.nextProbeMs()]).toEqual([true, 1_000]);
  });

  test('does not rest because this gateway is busy', async () => {
    const watched = scriptedNode('n', 'overloaded');
    await call(watched);
    expect(watched.node.isResting()).toBe(false);
  });
});

describe('a node of another chain', () => {
  test('is out from the probe that found it until one that finds it right, and told once', async () => {
    const watched = scriptedNode('n', good);
    watched.whenProbed(otherChain);
    watched.node.start();
    const waits: unknown[] = [];
    for (let probe = 0; probe < 7; probe++) {
      await watched.probe();
      expect([watched.node.isOut(), watched.node.isResting()]).toEqual([true, true]);
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
    expect([watched.node.isOut(), watched.node.isResting()]).toEqual([false, false]);
    expect(watched.lines.at(-1)?.event).toBe('node.recovered');
  });

  test('is out from a new connection that found it, and no answer wakes it', async () => {
    const watched = scriptedNode('n', { ok: false, failure: 'unfit', sent: false, detail: 'chain id 8' }, good);
    await call(watched);
    expect([watched.node.isOut(), watched.nextProbeMs()]).toEqual([true, 1_000]);
    await call(watched);
    expect(watched.node.isOut()).toBe(true);
  });
});
