/**
 * Bundled by Vite, opened by a browser from another origin than the gateway's: the client, viem over HTTP and a
 * WebSocket, the provider, and the client in a worker.
 */

import { createFlowgate } from '@flowgate/client';
import { flowgateProvider } from '@flowgate/client/eip1193';
import { flowgate } from '@flowgate/client/viem';
import { createPublicClient } from 'viem';

globalThis.walk = async ({ url, apiKey, token }) => {
  const user = createFlowgate({ url, token: async () => token });
  const client = createFlowgate({ url, apiKey });
  const limits = [];
  await client.rpc('eth_blockNumber', [], { trace: true, onAnswer: (answer) => limits.push(answer) });
  const refusal = await client.apiKeys.page().catch((error) => error);

  const transport = flowgate({ url, apiKey, webSocket: true });
  const viem = createPublicClient({ cacheTime: 0, transport });
  const heads = [];
  const head = await new Promise((resolve) => {
    const stop = viem.watchBlockNumber({
      onBlockNumber(number) {
        heads.push(number);
        stop();
        resolve(number);
      },
    });
  });
  const isThere = (await viem.getBlockNumber()) >= head;
  const { unsubscribe } = await viem.transport.subscribe({ params: ['newHeads'], onData() {} });
  const { result } = await unsubscribe();
  viem.transport.close();
  const unknown = createPublicClient({ transport: flowgate({ url, apiKey: 'fk_none', webSocket: true }) });
  const refused = await unknown.getBlockNumber().catch((error) => error.details);

  const provider = flowgateProvider({ url, apiKey });
  const chain = await provider.request({ method: 'eth_chainId' });
  const message = new Promise((resolve) => {
    provider.on('message', resolve);
  });
  const id = await provider.request({ method: 'eth_subscribe', params: ['newHeads'] });
  const isReported = (await message).data.subscription === id;
  const ended = await provider.request({ method: 'eth_unsubscribe', params: [id] });
  provider.close();

  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const worked = new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message));
  });
  worker.postMessage({ url, apiKey });
  return {
    me: (await user.me()).id,
    reported: limits.map(({ requestId, rateLimit, servedBy }) => [
      typeof requestId,
      rateLimit?.limit,
      servedBy?.length,
    ]),
    refusal: [refusal.status, typeof refusal.requestId],
    viem: [isThere, heads.length === 1, result, refused],
    provider: [chain, isReported, ended],
    worker: await worked,
    shown: JSON.stringify([client, provider, viem.transport]).includes(apiKey),
  };
};
