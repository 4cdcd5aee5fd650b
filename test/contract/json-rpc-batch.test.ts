/**
 * Batches over HTTP: order, errors in place, notifications, sizes, and the messages that a node receives
 * (contract/json-rpc#batches, contract/limits).
 */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { expectRpcError, expectStandardError, limitsOf } from '../../apps/gateway/test/fixtures/answers.ts';
import { idsOf, wellBehaved } from '../../apps/gateway/test/fixtures/fake-node.ts';
import { type RunningGateway, startGateway } from '../../apps/gateway/test/fixtures/running-gateway.ts';

let gateway: RunningGateway;
let key: string;

beforeAll(async () => {
  gateway = await startGateway({ config: { limits: { userPerMinute: 60, maxBatch: 50 } } });
});
afterAll(() => gateway.stop());

let users = 0;
beforeEach(async () => {
  gateway.node.behave(wellBehaved);
  gateway.node.received.length = 0;
  users += 1;
  key = (await gateway.mint(`batcher-${users}`)).apiKey;
});

const post = (elements: readonly string[]) => gateway.rpc(key, `[${elements.join(',')}]`);
const call = (id: string | number, method = 'eth_blockNumber') => `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`;
const note = (method = 'eth_blockNumber') => `{"jsonrpc":"2.0","method":"${method}"}`;

async function answered(elements: readonly string[]): Promise<unknown> {
  const answer = await post(elements);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  return answer.json();
}
const block = (id: unknown) => ({ jsonrpc: '2.0', id, result: '0x10' });
const failure = (id: unknown, code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, data: data ?? expect.anything() },
});
const blocked = (id: unknown, method: string, reason = 'method_blocked') =>
  failure(id, -32601, 'Method not allowed.', { reason, method });

describe('answers', () => {
  test('follow the order of the calls, regardless of the node’s order (contract/json-rpc#batches)', async () => {
    gateway.node.behave((body) => {
      const parsed: unknown[] = JSON.parse(wellBehavedText(body));
      return Response.json(parsed.reverse());
    });
    const ids = [5, 3, 9, 1, 7];
    expect(await answered(ids.map((id) => call(id)))).toEqual(ids.map(block));
  });

  test('have every kind of element in its place, with HTTP 200 (contract/json-rpc#batches)', async () => {
    const elements = [
      call(1),
      call(2, 'admin_peers'),
      note(),
      '7',
      call('"four"', 'debug_traceTransaction'),
      '{"jsonrpc":"2.0","id":5}',
      call(6, 'eth_accounts'),
      note('admin_peers'),
      '[]',
      '{"jsonrpc":"2.0","id":8,"method":"eth_chainId","method":"admin_peers"}',
      call(9),
    ];
    expect(await answered(elements)).toEqual([
      block(1),
      blocked(2, 'admin_peers'),
      failure(null, -32600, 'Invalid request.'),
      blocked('four', 'debug_traceTransaction', 'method_not_enabled'),
      failure(5, -32600, 'Invalid request.'),
      { jsonrpc: '2.0', id: 6, result: [] },
      failure(null, -32600, 'Invalid request.'),
      failure(8, -32600, 'Invalid request.'),
      block(9),
    ]);
    expect(gateway.node.methods()).toEqual(['eth_blockNumber', 'eth_blockNumber', 'eth_blockNumber']);
  });

  test('for blocked elements alone need no node (contract/json-rpc#blocked-methods)', async () => {
    expect(await answered([call(1, 'personal_sign'), call(2, 'txpool_content')])).toEqual([
      blocked(1, 'personal_sign'),
      blocked(2, 'txpool_content'),
    ]);
    expect(gateway.node.received).toEqual([]);
  });

  test('are an array for a batch of one, blocked or not (JSON-RPC 2.0, 6)', async () => {
    expect(await answered([call(1)])).toEqual([block(1)]);
    expect(await answered([call(1, 'admin_peers')])).toEqual([blocked(1, 'admin_peers')]);
    expect(await answered(['1'])).toEqual([failure(null, -32600, 'Invalid request.')]);
  });

  test("contain the node's own errors in place, unchanged (contract/json-rpc#batches)", async () => {
    gateway.node.behave((body) => {
      const [first, second] = idsOf(body);
      return new Response(
        `[{"jsonrpc":"2.0","id":${first},"error":{"code":3, "message":"reverted"}},{"jsonrpc":"2.0","id":${second},"result":1.0}]`,
      );
    });
    const answer = await post([call('"a"'), call('"b"')]);
    expect(await answer.text()).toBe(
      '[{"jsonrpc":"2.0","id":"a","error":{"code":3, "message":"reverted"}},{"jsonrpc":"2.0","id":"b","result":1.0}]',
    );
  });

  test('that the node omitted, repeated or invented are errors of their element alone', async () => {
    gateway.node.behave((body) => {
      const [first, , third] = idsOf(body);
      const answer = (id: unknown) => ({ jsonrpc: '2.0', id, result: '0x10' });
      return Response.json([answer(first), answer(third), answer(third), answer(999_999_999), answer('1')]);
    });
    const [one, two, three] = await asArray(answered([call(1), call(2), call(3)]));
    expect(one).toEqual(block(1));
    expect(two).toEqual({ jsonrpc: '2.0', id: 2, error: { code: -32603, message: expect.any(String) } });
    expect(three).toEqual(expect.objectContaining({ id: 3, error: expect.anything() }));
  });
});

describe('notifications', () => {
  test('alone: 204 without a body, and the node receives them (contract/json-rpc#batches)', async () => {
    const answer = await post([note(), note('eth_chainId')]);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(gateway.node.methods()).toEqual(['eth_blockNumber', 'eth_chainId']);
  });

  test('alone and blocked: 204, and no node receives them', async () => {
    const answer = await post([note('admin_peers'), note('miner_stop')]);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(gateway.node.received).toEqual([]);
  });

  test('among calls are unanswered (JSON-RPC 2.0, 6)', async () => {
    expect(await answered([note(), call(1), note(), call(2), note()])).toEqual([block(1), block(2)]);
  });
});

describe('sizes', () => {
  const calls = (count: number) => Array.from({ length: count }, (_, at) => call(at));

  test('maxBatch elements are served, one more is 413 and reaches no node (contract/json-rpc#batches)', async () => {
    expect(await answered(calls(50))).toEqual(calls(50).map((_, at) => block(at)));
    gateway.node.received.length = 0;
    await expectStandardError(await post(calls(51)), { status: 413, error: 'Payload too large', path: '/rpc' });
    expect(gateway.node.received).toEqual([]);
  });

  test('an empty batch is an invalid request and counts as one (contract/json-rpc#batches)', async () => {
    const answer = await post([]);
    const { remaining } = limitsOf(answer);
    expect(remaining).toBe(58);
    await expectRpcError(answer, { status: 400, code: -32600, message: 'Invalid request.', id: null });
  });

  test('a batch counts as its elements, including invalid, blocked and notification elements (contract/json-rpc#batches)', async () => {
    const answer = await post([call(1), '7', note(), call(2, 'admin_peers'), call(3, 'eth_accounts')]);
    expect(limitsOf(answer).remaining).toBe(60 - 1 - 5);
  });

  test('a batch that exceeds the remaining limit is refused as a whole and does not count (contract/json-rpc#batches, contract/limits)', async () => {
    expect(limitsOf(await post(calls(40))).remaining).toBe(19);
    gateway.node.received.length = 0;
    const refused = await post(calls(20));
    expect(limitsOf(refused).remaining).toBe(19);
    await expectStandardError(refused, { status: 429, error: 'Too many requests', path: '/rpc' });
    expect(gateway.node.received).toEqual([]);
    expect(limitsOf(await post(calls(19))).remaining).toBe(0);
  });

  test('a 413 counts as one (contract/json-rpc#batches)', async () => {
    expect(limitsOf(await post(calls(51))).remaining).toBe(58);
  });
});

test("a batch longer than the user's whole limit is 413, not 429, and counts as one (contract/json-rpc#batches)", async () => {
  const small = await startGateway({ config: { limits: { userPerMinute: 5, maxBatch: 100 } } });
  try {
    const { apiKey } = await small.mint();
    const elements = (count: number) => `[${new Array(count).fill(call(1)).join(',')}]`;
    const answer = await small.rpc(apiKey, elements(6));
    expect(limitsOf(answer)).toEqual(expect.objectContaining({ limit: 5, remaining: 3 }));
    await expectStandardError(answer, { status: 413, error: 'Payload too large', path: '/rpc' });
    expect((await small.rpc(apiKey, elements(4))).status).toBe(429);
    expect((await small.rpc(apiKey, elements(3))).status).toBe(200);
  } finally {
    await small.stop();
  }
});

describe('a node that fails on a batch', () => {
  test('with an invalid response is 502 for the whole batch (contract/json-rpc#nodes)', async () => {
    for (const text of ['', 'x', '{}', '7', '[', '{"jsonrpc":"2.0","id":1,"result":1}']) {
      gateway.node.behave(() => new Response(text));
      await expectStandardError(await post([call(1), call(2)]), { status: 502, error: 'Bad gateway', path: '/rpc' });
    }
  });

  test('with one error for the whole batch returns that error for each call', async () => {
    const error = { code: -32600, message: 'batch limit exceeded' };
    gateway.node.behave(() => Response.json({ jsonrpc: '2.0', id: null, error }));
    expect(await answered([call(1), call(2, 'admin_peers'), call(3)])).toEqual([
      { jsonrpc: '2.0', id: 1, error },
      blocked(2, 'admin_peers'),
      { jsonrpc: '2.0', id: 3, error },
    ]);
  });
});

function wellBehavedText(body: string): string {
  const parsed: { id: unknown }[] = JSON.parse(body);
  return JSON.stringify(parsed.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10' })));
}

async function asArray(value: Promise<unknown>): Promise<unknown[]> {
  const settled = await value;
  if (!Array.isArray(settled)) throw new Error('no array');
  return settled;
}
