/** The caller's usage as the gateway counts it, with Flowgate's client: `bun client/examples/usage.ts`, see README.md. */

import { createFlowgate, type UsageBy } from '@flowgate/client';
import { readSettings } from './example-settings.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const client = createFlowgate({ url, apiKey, retry: { retries: 2 } });
const { userId, requestsPerMinute, keyId } = await client.whoAmI();
console.log(`${userId} may send ${requestsPerMinute} requests a minute`);

// Waits until one call is counted, because calls before this script may not be counted yet.
const earlier = await requestsBy('method');
await client.rpc('eth_syncing');
const before = await counted('eth_syncing', 1, earlier);
const outcomes = await requestsBy('outcome');
for (let nth = 0; nth < 3; nth++) await client.rpc('eth_chainId');
await client.rpcBatch(Array.from({ length: 2 }, () => ({ method: 'eth_gasPrice' })));
await client.rpc('admin_peers').catch(() => {});

const after = await counted('eth_gasPrice', 2, before);
const [chain, gas] = ['eth_chainId', 'eth_gasPrice'].map((method) => more(after, before, method));
console.log(`counted ${chain} × eth_chainId, ${gas} × eth_gasPrice, of a batch`);
console.log(`refused ${more(await requestsBy('outcome'), outcomes, 'refused')}: admin_peers is blocked`);

const [row] = (await client.usage({ bucket: 'hour', ...ofThisKey() })).slice(-1);
console.log(
  `this hour: half of the calls with this key within ${row?.p50Ms} ms, ${row?.cached} of ${row?.requests} from memory`,
);

/** The counts once they include the new calls of `method`. Gateways write their counts every ten seconds. */
async function counted(method: string, calls: number, then: ReadonlyMap<string, number>) {
  for (;;) {
    const now = await requestsBy('method');
    if (more(now, then, method) >= calls) return now;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Usage of this key over the last hours. */
async function requestsBy(by: UsageBy): Promise<ReadonlyMap<string, number>> {
  const rows = await client.usage({ bucket: 'hour', by, ...ofThisKey() });
  const sums = new Map<string, number>();
  for (const { by: label = '', requests } of rows) sums.set(label, (sums.get(label) ?? 0) + requests);
  return sums;
}

function ofThisKey(): { readonly keyId?: string } {
  return keyId === undefined ? {} : { keyId };
}

function more(now: ReadonlyMap<string, number>, then: ReadonlyMap<string, number>, label: string): number {
  return (now.get(label) ?? 0) - (then.get(label) ?? 0);
}
