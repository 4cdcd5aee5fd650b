/** Deposits a token to the local rollup and withdraws ether from it, through the Flow App `flowgate/bridge`: `bun client/examples/flow-bridge.ts`, see README.md. */

import { setTimeout as pause } from 'node:timers/promises';
import type { JsonMembers } from '@flowgate/client';
import { privateKeyToAccount } from 'viem/accounts';
import { developmentKeys, readSettings } from './example-settings.ts';
import { showEvents, showRefusal, signPrepared, startWalk, type Walk } from './flow-walk.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
/** The rollup's control routes post roots and advance the clock. Without them the rollup does it itself within a minute and a half. */
const controlUrl = process.env['FLOWGATE_ROLLUP_CONTROL'];
const account = privateKeyToAccount(developmentKeys.flowBridge);
const wallet = account.address;
const appId = 'flowgate/bridge';
/** The dispute game of the newest root that this example posted. */
let game: unknown;
let reported: string | undefined;

await move({ direction: 'deposit', asset: 'token', amount: '2.5' });
await move({ direction: 'withdrawal', asset: 'ether', amount: '0.125' });

async function move(wish: JsonMembers): Promise<void> {
  const walk = await startWalk(url, apiKey, { appId });
  await showRefusal('more than there is', walk.submit('prepare', { ...wish, wallet, amount: '1000000000' }));
  await walk.submit('prepare', { ...wish, wallet });
  while (walk.session().status === 'active') await advance(walk);
  const { description, options } = walk.session().currentStep;
  console.log(`session ${walk.session().status}: ${description}`);
  for (const sent of listOf(options?.['transactions'])) console.log(`transaction ${JSON.stringify(sent)}`);
  await showEvents(walk);
}

/** Signs when the wallet must act; otherwise polls the waiting step. */
async function advance(walk: Walk): Promise<void> {
  const session = walk.session();
  const { stepId, description, options } = session.currentStep;
  if (stepId === 'sign') {
    await walk.submit('send', { signedTransaction: await signPrepared(account, session) });
    return;
  }
  if (description !== reported) console.log(description);
  reported = description;
  if (controlUrl === undefined) await pause(5_000);
  else await hurry(controlUrl, options?.['status']);
  await walk.submit('look');
}

async function hurry(control: string, status: unknown): Promise<void> {
  const ask = async (path: string, body: object): Promise<JsonMembers> => {
    const response = await fetch(`${control}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const answer: JsonMembers = JSON.parse(await response.text());
    return answer;
  };
  if (status === 'awaiting_state_root') game = (await ask('/propose', {}))['game'];
  else if (status === 'in_dispute_window') {
    await ask('/advance', { seconds: 30 });
    await ask('/resolve', { game });
    await ask('/advance', { seconds: 10 });
  } else await pause(200);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
