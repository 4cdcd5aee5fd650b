import { afterAll, expect, test } from 'bun:test';
import { fixedAnswer, startFixedUpstream } from './fixed-upstream.ts';
import { largeResultKinds } from './large-results.ts';

const upstream = startFixedUpstream();
afterAll(upstream.stop);

test('every call of a batch is answered with its own id, in order', () => {
  const batch = Array.from({ length: 100 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_blockNumber', params: [] }));
  const answers: unknown = JSON.parse(fixedAnswer(JSON.stringify(batch)));
  expect(answers).toEqual(batch.map(({ id }) => ({ jsonrpc: '2.0', id, result: '0x10d4f1e' })));
});

test('the node reports the chain id that the benchmark configures', () => {
  expect(fixedAnswer('{"jsonrpc":"2.0","id":"a","method":"eth_chainId"}')).toBe(
    '{"jsonrpc":"2.0","id":"a","result":"0x7a69"}',
  );
});

test('a call that asks for a large result gets a result of the requested kind and size', () => {
  for (const kind of largeResultKinds) {
    const text = fixedAnswer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [kind, 2] }));
    const { id, result }: { id: unknown; result: unknown } = JSON.parse(text);
    expect([id, typeof result === 'string' || Array.isArray(result)]).toEqual([1, true]);
    expect(text.length).toBeWithin(2_097_152, 2_110_000);
  }
});

test('an HTTP client gets an answer, also for a large batch', async () => {
  const call = { jsonrpc: '2.0', id: 7, method: 'eth_blockNumber', params: ['x'.repeat(1000)] };
  const url = `http://127.0.0.1:${upstream.port}/`;
  const single = await fetch(url, { method: 'POST', body: JSON.stringify(call) });
  expect(await single.json()).toEqual({ jsonrpc: '2.0', id: 7, result: '0x10d4f1e' });
  const batch = await fetch(url, { method: 'POST', body: JSON.stringify(Array.from({ length: 5000 }, () => call)) });
  expect(await batch.json()).toHaveLength(5000);
});

test('a message of a WebSocket is answered like an HTTP body', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${upstream.socketPort}/`);
  const answers: unknown[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  socket.addEventListener('message', ({ data }) => {
    answers.push(JSON.parse(String(data)));
    if (answers.length === 2) resolve();
  });
  socket.addEventListener('open', () => {
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_estimateGas"}');
    socket.send('[{"jsonrpc":"2.0","id":2,"method":"eth_chainId"}]');
  });
  await promise;
  socket.close();
  expect(answers).toEqual([
    [{ jsonrpc: '2.0', id: 2, result: '0x7a69' }],
    { jsonrpc: '2.0', id: 1, result: '0x10d4f1e' },
  ]);
});

test('the node answers the calls that follow its head', () => {
  const block = (tag: string) =>
    JSON.parse(
      fixedAnswer(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: [tag, false] })),
    ).result;
  expect(block('latest')).toMatchObject({ number: '0x10d4f1e', hash: `0x${'10d4f1e'.padStart(64, '0')}` });
  expect(block('0x10d4f1d').hash).toBe(block('latest').parentHash);
  expect(Number(block('finalized').number)).toBeLessThan(Number(block('latest').number));
  expect(block('0x10d4f1f')).toBeNull();
});
