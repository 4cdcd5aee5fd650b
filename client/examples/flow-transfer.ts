/** Shows a balance and transfers development dollars through `flowgate/token-transfer`: `bun client/examples/flow-transfer.ts`, see README.md. */

import { privateKeyToAccount } from 'viem/accounts';
import { developmentKeys, readSettings } from './example-settings.ts';
import { showEvents, showRefusal, signPrepared, startWalk } from './flow-walk.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.flowTransfer);
const from = account.address;
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

// The app has two start steps; without `startStepId` a session starts at the first, "transfer".
const walk = await startWalk(url, apiKey, { appId: 'flowgate/token-transfer', startStepId: 'check-balance' });
const reported = await walk.submit('check', { account: from });
console.log(reported.currentStep.description);

await walk.submit('transfer');
await showRefusal('more than there is', walk.submit('prepare', { from, to, amount: '1000000000' }));
await showRefusal('not an amount', walk.submit('prepare', { from, to, amount: 'much' }));

await transfer('12.5');
await walk.submit('another');
await transfer('150');
await walk.submit('finish');
console.log(`session ${walk.session().status}`);

const transfers = await walk.client.flow.query('flowgate/token-transfer', 'transfers');
console.log(`transfers stored by the app: ${Array.isArray(transfers) ? transfers.length : 'none'}`);
await showEvents(walk);

async function transfer(amount: string): Promise<void> {
  let prepared = await walk.submit('prepare', { from, to, amount });
  // A branch: above a hundred dollars the app asks for a confirmation.
  if (prepared.currentStep.stepId === 'confirm') prepared = await walk.submit('confirm', { understood: true });
  const sent = await walk.submit('send', { signedTransaction: await signPrepared(account, prepared) });
  console.log(sent.currentStep.description);
}
