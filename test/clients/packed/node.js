/**
 * Runs on Node.js in a project with only the packed package, viem and ws: every entry with a gateway. Arguments: its
 * address and a key.
 */

import { createFlowgate, FlowgateError } from '@flowgate/client';
import { flowgateProvider } from '@flowgate/client/eip1193';
import { createFlowRun } from '@flowgate/client/flow';
import { flowgate } from '@flowgate/client/viem';
import { createPublicClient } from 'viem';
import { WebSocket } from 'ws';

const [url, apiKey] = process.argv.slice(2);
const client = createFlowgate({ url, apiKey });
const names = [];
for await (const { name } of client.networks.list({ limit: 1 })) names.push(name);
const refusal = await createFlowgate({ url, apiKey: 'fk_none' })
  .rpc('eth_chainId')
  .catch((error) => error);

const openSocket = (address, headers) => new WebSocket(address, { headers });
const overHttp = createPublicClient({ cacheTime: 0, transport: flowgate({ url, apiKey, batch: true }) });
const overSocket = createPublicClient({
  cacheTime: 0,
  transport: flowgate({ url, apiKey, webSocket: { openSocket } }),
});
const head = await new Promise((resolve) => {
  const stop = overSocket.watchBlockNumber({
    onBlockNumber(number) {
      stop();
      resolve(number);
    },
  });
});

const provider = flowgateProvider({ url, apiKey, webSocket: { openSocket } });
const chainId = await provider.request({ method: 'eth_chainId' });
const subscription = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] });
const ended = await provider.request({ method: 'eth_unsubscribe', params: [subscription] });
provider.close();

const run = createFlowRun(client.flow.sessions, { start: { appId: 'acme/none' } });
const { phase, error } = await run.begin();
console.log(
  JSON.stringify([
    names,
    refusal instanceof FlowgateError && [refusal.status, typeof refusal.requestId],
    [(await overHttp.getBlockNumber()) >= head, (await overSocket.getBlockNumber()) >= head],
    [chainId, ended],
    [phase, error.status],
    `${client.apiKeys}${JSON.stringify(client)}`.includes(apiKey),
  ]),
);
overSocket.transport.close();
