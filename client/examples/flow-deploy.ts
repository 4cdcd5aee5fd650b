/** Deploys two contracts through the Flow App `flowgate/deploy-contract`: `bun client/examples/flow-deploy.ts`, see README.md. */

import { type Hex, hexToNumber } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { developmentKeys, readSettings } from './example-settings.ts';
import { showEvents, showRefusal, signPrepared, startWalk } from './flow-walk.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.flowDeploy);

const walk = await startWalk(url, apiKey, { appId: 'flowgate/deploy-contract' });
await showRefusal('no one pays', walk.submit('prepare', { contract: 'counter' }));

for (const firstNumber of [41, 7]) {
  // Prepare: the app reads nonce, gas and fees from the chain. Sign: this script. Execute: the app sends the transaction once.
  const prepared = await walk.submit('prepare', { contract: 'counter', firstNumber, from: account.address });
  const signedTransaction = await signPrepared(account, prepared);
  const idempotencyKey = crypto.randomUUID();
  const { sessionId, stateVersion } = prepared;
  const { currentStep } = await walk.submit('deploy', { signedTransaction }, { idempotencyKey });
  const address = String(currentStep.options?.['address']);
  console.log(`deployed ${address}, number ${await numberOf(address)}`);

  // Simulates a lost answer: the same key returns the same answer, and nothing is deployed again.
  const submission = { actionId: 'deploy', fieldValues: { signedTransaction }, stateVersion };
  const again = await walk.client.flow.sessions.submit(sessionId, 'sign', submission, { idempotencyKey });
  console.log(`submitted again: ${again.currentStep.options?.['address'] === address ? 'the same answer' : 'ANOTHER'}`);
  if (firstNumber === 41) await walk.submit('another');
}

await walk.submit('finish');
console.log(`session ${walk.session().status}`);
const deployments = await walk.client.flow.query('flowgate/deploy-contract', 'deployments');
console.log(`deployments stored by the app: ${Array.isArray(deployments) ? deployments.length : 'none'}`);
await showEvents(walk);

/** Calls through the gateway's JSON-RPC with the same key. `0x8381f58a` calls `number()`. */
async function numberOf(to: string): Promise<number> {
  const result = await walk.client.rpc('eth_call', [{ to, data: '0x8381f58a' }, 'latest']);
  return hexToNumber(`0x${String(result).replace(/^0x/, '')}` satisfies Hex);
}
