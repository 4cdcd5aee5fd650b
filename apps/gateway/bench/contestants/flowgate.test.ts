import { afterAll, expect, test } from 'bun:test';
import { startNode } from '../bench.ts';
import { Workshop } from '../workshop.ts';
import { prepareFlowgate } from './flowgate.ts';

const workshop = new Workshop();
afterAll(() => workshop.close());

test('the gateway of the comparison starts, and calls the node for a key that was created before', async () => {
  const node = await startNode(workshop);
  const { mint, start } = await prepareFlowgate({ workshop, node, bunArguments: [] });
  const [owned] = await mint('user-1', 1);
  const { main } = await start();
  const response = await fetch(`http://127.0.0.1:${main.port}/dlts/ethereum/networks/bench/rpc/${owned?.key}`, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'eth_getBalance',
      params: [`0x${'1'.repeat(40)}`, 'latest'],
    }),
  });
  expect({ status: response.status, body: await response.json() }).toEqual({
    status: 200,
    body: { jsonrpc: '2.0', id: 7, result: expect.any(String) },
  });
});
