/** The client in a web worker. */

import { createFlowgate } from '@flowgate/client';

globalThis.onmessage = async ({ data: { url, apiKey } }) => {
  const client = createFlowgate({ url, apiKey });
  globalThis.postMessage([(await client.me()).id, await client.rpc('eth_chainId')]);
};
