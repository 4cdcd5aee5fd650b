import { describe, expect, test } from 'bun:test';
import { BudgetedBuffer } from '@flowgate/bytes/budgeted-buffer';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { nodeErrors } from '../../../test/corpora/node-errors.ts';
import { nodeCaller } from '../../../test/fixtures/node-caller.ts';
import { answered, result, rpcError, type Scripted, scriptedNode } from '../../../test/fixtures/scripted-node.ts';
import { withTexts } from '../../../test/fixtures/with-texts.ts';
import { type ErrorFault, type NodeFailure, type NodeFault, nodeFaults } from '../port/node-faults.ts';
import type { FailedTry } from '../port/node-transport.ts';
import { createNodePool } from './node-pool.ts';

const good = result('"yes"');
const yes = { kind: 'result', raw: '"yes"' } as const;
const no = { kind: 'error', raw: '{"code":-1,"message":"no"}' } as const;
const connect: FailedTry = {
  ok: false,
  fault: 'connect',
  failure: 'unreachable',
  maybeDelivered: false,
  detail: '',
};
const timeoutMs = 30_000;

function poolOf(...scripts: Scripted[][]) {
  const nodes = scripts.map((script, nth) => scriptedNode(`node-${nth}`, ...script));
  const clock = createManualClock();
  const pool = createNodePool(
    nodes.map(({ node }) => node),
    { clock, timeoutMs },
  );
  const send = (repeatable: boolean, caller = nodeCaller) =>
    pool.send({ method: 'call', params: undefined, repeatable, caller });
  const ask = async (repeatable: boolean, caller = nodeCaller) => withTexts(await send(repeatable, caller));
  return {
    pool,
    nodes,
    clock,
    send,
    ask,
    askedEach: () => nodes.map(({ asked }) => asked.filter((one) => one === 'call').length),
  };
}

type Row = {
  does: Scripted;
  /** Whether its circuit breaker counts it. */
  node: 'continues' | 'counts';
  /** Whether the next node is asked: for a repeatable call, and for one that is not repeatable. */
  next: readonly [boolean, boolean];
  reported: NodeFailure | { readonly error: string };
};

/** Two errors of real nodes. The caller receives them if no node answers. */
function errorRows(fault: ErrorFault, node: Row['node']): readonly Row[] {
  const known = nodeErrors.filter((each) => each.fault === fault).slice(0, 2);
  return known.map(({ code, message }) => {
    const error = JSON.stringify({ code, message });
    return {
      does: answered(`{"jsonrpc":"2.0","id":1,"error":${error}}`),
      node,
      next: [true, false],
      reported: { error },
    };
  });
}

/** A second copy of the table of failures: the response of a node and its consequences. Several forms of one fault are listed side by side. */
const table: Readonly<Record<Exclude<NodeFault, 'wrong-chain'>, readonly Row[]>> = {
  connect: [{ does: 'connect', node: 'counts', next: [true, true], reported: 'unreachable' }],
  unfit: [{ does: 'unfit', node: 'counts', next: [true, true], reported: 'unreachable' }],
  broken: [{ does: 'broken', node: 'counts', next: [true, false], reported: 'unreachable' }],
  timeout: [{ does: 'timeout', node: 'counts', next: [true, false], reported: 'timeout' }],
  malformed: [{ does: 'malformed', node: 'counts', next: [true, false], reported: 'unusable' }],
  refused: [401, 402, 403, 407, 408, 421, 425, 429, 502, 503, 504].map((status) => ({
    does: answered('<html>', status),
    node: 'counts',
    next: [true, false],
    reported: 'refused',
  })),
  unusable: [
    ...[200, 204, 301, 302, 400, 404, 405, 500, 501, 505, 599].map((status) => answered('', status)),
    ...['<html>Bad gateway</html>', '{}', '[]', 'null', '{"jsonrpc":"2.0","id":1}'].map((body) => answered(body)),
  ].map((does) => ({ does, node: 'counts', next: [true, false], reported: 'unusable' })),
  'not-understood': [200, 400, 500].map((status) => ({
    does: answered('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}', status),
    node: 'continues',
    next: [true, false],
    reported: 'unusable',
  })),
  'size-refused': [{ does: answered('', 413), node: 'continues', next: [true, false], reported: 'unusable' }],
  'too-large': [{ does: 'too-large', node: 'continues', next: [false, false], reported: 'unusable' }],
  'owner-full': [{ does: 'owner-full', node: 'continues', next: [false, false], reported: 'owner-full' }],
  'all-full': [{ does: 'all-full', node: 'continues', next: [false, false], reported: 'all-full' }],
  overloaded: [{ does: 'overloaded', node: 'continues', next: [true, true], reported: 'overloaded' }],
  released: [{ does: 'released', node: 'continues', next: [true, true], reported: 'unreachable' }],
  abandoned: [{ does: 'abandoned', node: 'continues', next: [false, false], reported: 'abandoned' }],
  limited: errorRows('limited', 'counts'),
  unready: errorRows('unready', 'counts'),
  'too-much': errorRows('too-much', 'continues'),
  'no-state': errorRows('no-state', 'continues'),
  'unknown-block': errorRows('unknown-block', 'continues'),
  'no-method': errorRows('no-method', 'continues'),
  internal: errorRows('internal', 'continues'),
};

describe('failures of nodes and their consequences', () => {
  test('the table contains each fault', () => {
    expect(Object.keys(nodeFaults).toSorted()).toEqual([...Object.keys(table), 'wrong-chain'].toSorted());
  });

  for (const [fault, rows] of Object.entries(table))
    for (const { does, node, next, reported } of rows) {
      const name =
        typeof does === 'string' ? fault : `${fault}: ${does.ok ? `${does.status} ${does.content.text()}` : ''}`;
      for (const [at, repeatable] of [true, false].entries())
        test(`${name}, ${repeatable ? 'a read' : 'a transaction'}`, async () => {
          const two = poolOf([does], [good]);
          const reply = await two.ask(repeatable);
          expect(two.askedEach()).toEqual([1, next[at] === true ? 1 : 0]);
          const answer = typeof reported === 'string' ? undefined : ({ kind: 'error', raw: reported.error } as const);
          expect(reply).toMatchObject(next[at] === true ? { answer: yes } : answer ? { answer } : { ok: false });
          expect(two.nodes[0]?.node.hasFailedLast()).toBe(node === 'counts');
          expect(two.nodes[0]?.node.isOut()).toBe(false);
          const isAnswered = node === 'continues' && answer !== undefined;
          const failures = node === 'counts' ? 1 : 0;
          const shown = { calls: isAnswered ? 1 : failures, failed: failures };
          expect(two.nodes[0]?.node.figures()).toMatchObject(shown);

          const alone = poolOf([does]);
          const sent =
            typeof does !== 'string' || !['connect', 'unfit', 'overloaded', 'released', 'abandoned'].includes(does);
          const failed = (failure: NodeFailure) =>
            ({ ok: false, failure, maybeDelivered: sent, sentTo: sent ? 'node-0' : undefined, attempts: 1 }) as const;
          const nodeId = 'node-0';
          expect(await alone.ask(repeatable)).toEqual(
            typeof reported === 'string'
              ? failed(reported)
              : { ok: true, nodeId, answer: { kind: 'error', raw: reported.error }, attempts: 1 },
          );
          expect(alone.nodes[0]?.node.figures()).toMatchObject(shown);
        });
    }
});

describe('a JSON-RPC error', () => {
  test.each([200, 400, 404, 413, 500, 501])('with HTTP %i is the answer, and the node is healthy', async (status) => {
    const { ask, nodes, askedEach } = poolOf([rpcError('no', status)], [good]);
    expect(await ask(true)).toMatchObject({ ok: true, answer: no });
    expect([askedEach(), nodes[0]?.node.hasFailedLast()]).toEqual([[1, 0], false]);
  });

  test('with a status about the node is returned only if no other node answers', async () => {
    expect(await poolOf([rpcError('no', 429)], [good]).ask(true)).toMatchObject({ answer: yes });
    for (const other of ['connect', 'broken', answered('<html>')] satisfies Scripted[])
      expect(await poolOf([rpcError('no', 429)], [other]).ask(true)).toMatchObject({ ok: true, answer: no });
    const transaction = poolOf([rpcError('no', 503)], [good]);
    expect(await transaction.ask(false)).toMatchObject({ ok: true, nodeId: 'node-0', answer: no });
    expect(transaction.askedEach()).toEqual([1, 0]);
    expect(transaction.nodes[0]?.node.hasFailedLast()).toBe(true);
  });

  test('about the node goes to at most three nodes, and the last one is returned', async () => {
    const errors = ['header not found', 'missing trie node', 'Internal error', 'header not found'];
    const scripts = errors.map((message) => [
      answered(`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"${message}"}}`),
    ]);
    const { ask, askedEach, nodes } = poolOf(...scripts);
    for (let nth = 1; nth <= 50; nth++) {
      expect(await ask(true)).toMatchObject({
        nodeId: 'node-2',
        attempts: 3,
        answer: { raw: expect.stringContaining('Internal error') },
      });
      expect(askedEach()).toEqual([nth, nth, nth, 0]);
    }
    expect(nodes.map(({ node }) => node.isCircuitOpen())).toEqual([false, false, false, false]);
  });

  test('about the node is returned rather than the failure of the node after it', async () => {
    const limited = answered('{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"limit exceeded"}}');
    expect(await poolOf([limited], ['broken'], [answered('<html>')]).ask(true)).toMatchObject({
      nodeId: 'node-0',
      attempts: 3,
      answer: { raw: '{"code":-32005,"message":"limit exceeded"}' },
    });
  });

  test('a result is the answer regardless of the status', async () => {
    expect(await poolOf([result('"yes"', 503)], [good]).ask(true)).toMatchObject({ ok: true, nodeId: 'node-0' });
  });
});

describe('the order of nodes', () => {
  test('the first healthy one is asked, and no other', async () => {
    const { ask, askedEach } = poolOf([good], [good]);
    expect(await ask(true)).toEqual({ ok: true, nodeId: 'node-0', answer: yes });
    expect(askedEach()).toEqual([1, 0]);
  });

  test('a node that failed once is still asked first, but not with what must not be repeated', async () => {
    const { ask, askedEach } = poolOf(['broken', good], [good]);
    await ask(true);
    await ask(false);
    expect(askedEach()).toEqual([1, 2]);
    await ask(true);
    await ask(false);
    expect(askedEach()).toEqual([3, 2]);
  });

  test('if all circuits are open, nodes are still tried, the one with the shortest wait first', async () => {
    const { ask, nodes, askedEach, clock } = poolOf(['connect'], ['connect']);
    for (let at = 0; at < 5; at++) expect((await ask(true)).ok).toBe(false);
    expect(nodes.map(({ node }) => node.isCircuitOpen())).toEqual([true, true]);
    clock.advance(1_000);
    nodes[0]?.clock.advance(1_000);
    // Its probe fails, and its wait becomes longer than that of the other node.
    expect(await ask(true)).toMatchObject({ ok: false, failure: 'unreachable', attempts: 2 });
    expect(nodes.map(({ node }) => node.coolDownMs())).toEqual([2_000, 2_000]);
    nodes[1]?.script(good);
    clock.advance(1_000);
    expect((await ask(true)).ok).toBe(true);
    expect(askedEach()).toEqual([7, 7]);
  });

  test('one of many concurrent calls probes a node that is due, and the others go to other nodes', async () => {
    const { nodes, clock, send, askedEach } = poolOf(['connect'], [good]);
    for (let at = 0; at < 5; at++) await send(true);
    expect(askedEach()).toEqual([5, 5]);
    clock.advance(1_000);
    nodes[0]?.script('connect');
    const replies = await Promise.all([send(false), ...Array.from({ length: 50 }, () => send(true)), send(false)]);
    expect(replies.every(({ ok }) => ok)).toBe(true);
    expect(askedEach()[0]).toBe(6);
    nodes[0]?.script(good);
    nodes[0]?.clock.advance(2_000);
    clock.advance(2_000);
    await Promise.all(Array.from({ length: 50 }, () => send(true)));
    expect(askedEach()[0]).toBe(7);
    await Promise.all(Array.from({ length: 50 }, () => send(true)));
    expect([askedEach()[0], nodes[0]?.node.isCircuitOpen()]).toEqual([8, false]);
  });

  test('after closing, a node receives one call, then one more with each answer (contract/routing#circuit-breaker)', async () => {
    const { nodes, clock, send, askedEach } = poolOf(['connect'], [good]);
    for (let at = 0; at < 5; at++) await send(true);
    clock.advance(1_000);
    nodes[0]?.script(good);
    await send(true);
    await send(true);
    expect([askedEach()[0], nodes[0]?.node.isCircuitOpen()]).toEqual([7, false]);
    const shares: number[] = [];
    for (let round = 0; round < 7; round++) {
      const before = askedEach()[0] ?? 0;
      await Promise.all(Array.from({ length: 50 }, () => send(true)));
      shares.push((askedEach()[0] ?? 0) - before);
    }
    expect(shares).toEqual([1, 2, 4, 8, 16, 32, 50]);
  });

  test('requests of the gateway itself neither open a circuit nor probe or close it (contract/routing#circuit-breaker)', async () => {
    const { pool, nodes, clock, send, askedEach } = poolOf(['connect'], [good]);
    const [first] = nodes;
    const alone = createNodePool(
      nodes.slice(0, 1).map(({ node }) => node),
      { clock, timeoutMs },
    );
    const own = { method: 'eth_getBlockByNumber', params: undefined, repeatable: true } as const;
    for (let at = 0; at < 20; at++) await alone.send(own);
    // A transaction avoids the node nevertheless.
    expect([first?.node.isCircuitOpen(), first?.node.hasFailedLast()]).toEqual([false, true]);
    first?.script(good);
    await alone.send(own);
    expect(first?.node.hasFailedLast()).toBe(false);
    first?.script('connect');
    for (let at = 0; at < 5; at++) await send(true);
    expect([first?.node.isCircuitOpen(), first?.node.hasFailedLast()]).toEqual([true, true]);
    first?.script(good);
    clock.advance(1_000);
    const asked = () => first?.asked.length;
    const before = asked();
    // The pool asks the healthy node, and a request to the failed node changes nothing.
    expect(await pool.send(own)).toMatchObject({ ok: true, nodeId: 'node-1' });
    expect(await pool.send({ ...own, caller: nodeCaller, isOwn: true })).toMatchObject({ ok: true, nodeId: 'node-1' });
    expect(asked()).toBe(before);
    for (let at = 0; at < 20; at++) expect(await alone.send(own)).toMatchObject({ ok: true });
    expect([first?.node.isCircuitOpen(), first?.node.hasFailedLast()]).toEqual([true, true]);
    expect(first?.node.isDue(clock.monotonic())).toBe(true);
    // A node that answers only these requests stays open: its probe fails.
    first?.script('timeout');
    const [calls = 0] = askedEach();
    for (let at = 0; at < 20; at++) expect(await send(true)).toMatchObject({ ok: true });
    expect([askedEach()[0], first?.node.isCircuitOpen(), first?.node.coolDownMs()]).toEqual([calls + 1, true, 2_000]);
  });

  test('a Retry-After for a request of the gateway itself counts', async () => {
    const { nodes, clock } = poolOf([{ ok: true, status: 429, content: rangeOf(''), retryAfter: '7' }]);
    const pool = createNodePool(
      nodes.map(({ node }) => node),
      { clock, timeoutMs },
    );
    await pool.send({ method: 'eth_blockNumber', params: undefined, repeatable: true });
    expect(nodes[0]?.node.coolDownMs()).toBe(7_000);
  });

  test('a call is sent to the configured number of nodes, regardless of the outcomes', async () => {
    for (const does of ['broken', 'connect'] as const) {
      const { ask, askedEach } = poolOf([does], [does], [does], [good]);
      expect(await ask(true)).toMatchObject({ ok: false, attempts: 3 });
      expect(askedEach()).toEqual([1, 1, 1, 0]);
    }
  });

  test('the reply to a call that was maybe delivered never says that it was not sent', async () => {
    const { ask } = poolOf(['broken'], ['overloaded']);
    expect(await ask(true)).toEqual({
      ok: false,
      failure: 'unreachable',
      maybeDelivered: true,
      sentTo: 'node-0',
      attempts: 2,
    });
  });
});

describe('time', () => {
  test('while another healthy node is left, a try of a read gets a third of the time, and the last try the rest', async () => {
    const { ask, nodes, clock } = poolOf(['timeout'], ['timeout'], ['timeout']);
    const [first, second, third] = nodes;
    const pending = ask(true);
    clock.advance(10_000);
    await pending;
    const terms = [first, second, third].map((node) => node?.calls[0]);
    expect(terms.map((call) => [call?.timeoutMs, call?.waitMs, call?.canLeave])).toEqual([
      [10_000, undefined, true],
      [10_000, undefined, true],
      [20_000, undefined, false],
    ]);
  });

  test('a transaction waits for a connection no longer than that, and for its answer until its timeout', async () => {
    const { ask, nodes } = poolOf([good], [good]);
    await ask(false);
    expect(nodes[0]?.calls[0]).toMatchObject({ timeoutMs: 30_000, waitMs: 10_000, canLeave: true });
  });

  test('without another healthy node a try gets the whole time, and the call stays', async () => {
    for (const alone of [poolOf([good]), poolOf([good], ['connect'])]) {
      const idle = alone.nodes[1]?.node;
      for (let at = 0; at < 5; at++) idle?.note(connect, idle.take(0));
      await alone.ask(true);
      expect(alone.nodes[0]?.calls[0]).toMatchObject({ timeoutMs: 30_000, waitMs: undefined, canLeave: false });
    }
  });

  test('after the timeout no further node is asked', async () => {
    const { ask, clock, askedEach } = poolOf(['timeout'], [good]);
    const pending = ask(true);
    clock.advance(timeoutMs);
    expect(await pending).toEqual({
      ok: false,
      failure: 'timeout',
      maybeDelivered: true,
      sentTo: 'node-0',
      attempts: 1,
    });
    expect(askedEach()).toEqual([1, 0]);
  });
});

describe('a large answer', () => {
  const budget = new ByteBudget({ totalBytes: 1_000, ownerBytes: 1_000 });
  const large = (text: string): Scripted => {
    const buffer = new BudgetedBuffer(budget, 'alice');
    buffer.append(Buffer.from(text), 0, text.length);
    return { ok: true, status: 200, content: rangeOf(''), buffered: buffer };
  };
  const caller = { userId: 'alice', request: new AbortController() };

  test('is read from its buffer, and its node and connections stay usable', async () => {
    const { ask, nodes } = poolOf([large('{"id":1,"result":"large"}')], [good]);
    const reply = await ask(true, caller);
    if (!reply.ok || reply.answer.kind !== 'buffered') throw new Error('no large answer');
    const [buffer] = reply.answer.buffers;
    expect(reply.answer.parts).toMatchObject([{ start: 17, end: 24 }]);
    expect(buffer?.text(17, 24)).toBe('"large"');
    expect([nodes[0]?.calls[0]?.owner, nodes[0]?.released]).toEqual(['alice', []]);
    reply.answer.release();
    expect(budget.reservedBytes).toBe(0);
  });

  test('that exceeds the budget closes all connections of its node, because its connection is unknown', async () => {
    const rubbish = poolOf([large('{"id":2,"result":"large"}')], [good]);
    expect(await rubbish.ask(true, caller)).toMatchObject({ ok: true, nodeId: 'node-1' });
    expect([rubbish.nodes[0]?.released[0], rubbish.nodes[0]?.node.hasFailedLast()]).toEqual([true, true]);
    expect(budget.reservedBytes).toBe(0);

    const stray = poolOf([large('[{"id":1,"result":1},{"id":7,"result":7}]')], [good]);
    const questions = [{ method: 'call', params: undefined }];
    const reply = await stray.pool.sendBatch({ questions, repeatable: true, caller });
    expect(reply).toMatchObject({ ok: true, nodeId: 'node-0' });
    expect(stray.nodes[0]?.released).toEqual([true]);
    if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
    expect(budget.reservedBytes).toBe(0);
  });

  test('of a node that was meanwhile found on another chain is released, and answers no read', async () => {
    const { ask, nodes } = poolOf([large('{"id":1,"result":"large"}')]);
    const pending = ask(true, caller);
    nodes[0]?.node.note({ ...connect, fault: 'wrong-chain', foundChain: '8' }, 0);
    expect(await pending).toEqual({
      ok: false,
      failure: 'wrong-chain',
      maybeDelivered: true,
      sentTo: 'node-0',
      attempts: 1,
    });
    expect(budget.reservedBytes).toBe(0);
  });
});

test('the last of several refusals with a JSON-RPC error is returned', async () => {
  const nodes = [rpcError('no 0', 429), rpcError('no 1', 503)].map((does) => [does]);
  expect(await poolOf(...nodes).ask(true)).toMatchObject({ ok: true, nodeId: 'node-1', answer: { kind: 'error' } });
  expect(await poolOf(...nodes, [good]).ask(true)).toMatchObject({ ok: true, nodeId: 'node-2', answer: yes });
  expect(await poolOf(...nodes, ['connect']).ask(true)).toMatchObject({ ok: true, nodeId: 'node-1' });
});

test('a call gets at most its own time and that of the pool', async () => {
  for (const [asked, given] of [
    [undefined, 30_000],
    [6_000, 6_000],
    [90_000, 30_000],
  ]) {
    const { pool, nodes } = poolOf([good], [good]);
    await pool.send({ method: 'call', params: undefined, repeatable: false, timeoutMs: asked });
    expect(nodes[0]?.calls[0]).toMatchObject({ timeoutMs: given, waitMs: (given ?? 0) / 3 });
  }
});

test('after its caller has left, a call goes to no further node', async () => {
  const left = new AbortController();
  const { ask, askedEach } = poolOf(['connect'], [good]);
  const pending = ask(true, { userId: 'alice', request: left });
  left.abort();
  expect(await pending).toEqual({ ok: false, failure: 'abandoned', maybeDelivered: false, attempts: 1 });
  expect(askedEach()).toEqual([1, 0]);
});

test('and an error about the node is not the answer, because the call may have followers', async () => {
  const left = new AbortController();
  const { ask, askedEach } = poolOf([rpcError('missing trie node')], [good]);
  const pending = ask(true, { userId: 'alice', request: left });
  left.abort();
  expect(await pending).toMatchObject({ ok: false, failure: 'abandoned', attempts: 1 });
  expect(askedEach()).toEqual([1, 0]);
});

describe('a node of another chain', () => {
  const greeting = { ok: false, failure: 'unfit', sent: false, detail: 'chain id 8' } as const;
  const otherChain: FailedTry = { ...connect, fault: 'wrong-chain', failure: 'wrong-chain', foundChain: '8' };

  test('is skipped for the next one, and not asked again', async () => {
    const { ask, askedEach, nodes } = poolOf([greeting], [good]);
    for (const repeatable of [false, true, true]) expect((await ask(repeatable)).ok).toBe(true);
    expect([askedEach(), nodes[0]?.node.isOut()]).toEqual([[1, 3], true]);
  });

  test('is not asked if it is the only one', async () => {
    const { ask, askedEach } = poolOf([greeting]);
    for (let call = 0; call < 3; call++)
      expect(await ask(true)).toMatchObject({ ok: false, failure: 'wrong-chain', maybeDelivered: false });
    expect(askedEach()).toEqual([1]);
  });

  test('does not answer reads that were in flight when it was found', async () => {
    const { nodes, ask, askedEach } = poolOf([good], [good]);
    const [first] = nodes;
    const pending = ask(true);
    first?.node.note(otherChain, 0);
    expect(await pending).toMatchObject({ ok: true, nodeId: 'node-1' });
    expect(askedEach()).toEqual([1, 1]);
  });
});
