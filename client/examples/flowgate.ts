/** Flowgate's client: mint a key, use it, revoke it, and see its refusal. `bun client/examples/flowgate.ts`, see README.md. */

import { createFlowgate, FlowgateError } from '@flowgate/client';
import { readSettings, unknownKey } from './example-settings.ts';

const { FLOWGATE_URL: baseUrl, FLOWGATE_TOKEN: token } = readSettings('FLOWGATE_URL', 'FLOWGATE_TOKEN');

// A token allows all routes except JSON-RPC. A function in its place can renew it.
const user = createFlowgate({ url: baseUrl, token });
console.log(`signed in as ${(await user.me()).id}`);

const minted = await user.apiKeys.mint({ label: 'client example' });
console.log(`minted ${minted.keyId}`);
try {
  await useKey(minted.apiKey);
} finally {
  await user.apiKeys.revoke(minted.keyId);
}
for await (const key of user.apiKeys.list()) {
  if (key.keyId === minted.keyId)
    console.log(`listed: "${key.label}", used ${key.lastUsedAt}, revoked ${key.revokedAt}`);
}

const after = createFlowgate({ url: baseUrl, apiKey: minted.apiKey });
await showRefusal('revoked key', after.rpc('eth_blockNumber'));
const stranger = createFlowgate({ url: baseUrl, apiKey: unknownKey });
await showRefusal('unknown key', stranger.rpc('eth_blockNumber'));
await showRefusal('unknown key, REST', stranger.me());

async function useKey(apiKey: string): Promise<void> {
  // `retries` repeats reads after temporary failures, after the time in Retry-After; never a transaction.
  const client = createFlowgate({ url: baseUrl, apiKey, retry: { retries: 2 } });
  console.log(`block ${Number(await client.rpc('eth_blockNumber'))}`);

  for await (const { dlt, networkId, name } of client.networks.list()) {
    const chainId = await client.rpc('eth_chainId', [], { network: { dlt, networkId } });
    console.log(`network ${dlt}/${networkId} (${name}): chain ${Number(chainId)}`);
  }

  const outcomes = await client.rpcBatch([
    { method: 'eth_chainId' },
    { method: 'eth_getBalance', params: ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', 'latest'] },
    { method: 'txpool_status' },
  ]);
  console.log(
    'batch:',
    outcomes.map((each) => (each.ok ? each.result : `${each.error.code} ${each.error.message}`)).join(', '),
  );

  await showRefusal('blocked method', client.rpc('txpool_status'));
  await showRefusal('key minting keys', client.apiKeys.mint({ label: 'never' }));
}

async function showRefusal(what: string, call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.catch((cause: unknown) => cause);
  if (!(error instanceof FlowgateError)) throw new Error(`${what}: was not refused as expected`, { cause: error });
  console.log(`[refused] ${what}: ${error.status} ${error.code ?? error.kind} ${error.message}`);
}
