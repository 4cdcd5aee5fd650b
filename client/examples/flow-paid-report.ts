/** Buys a report from `flowgate/paid-report` with an x402 payment: `bun client/examples/flow-paid-report.ts`, see README.md. */

import type { FlowgateError } from '@flowgate/client';
import { x402Client } from '@x402/core/client';
import { encodePaymentSignatureHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { privateKeyToAccount } from 'viem/accounts';
import { developmentKeys, readSettings } from './example-settings.ts';
import { showEvents, showRefusal, startWalk } from './flow-walk.ts';

const { FLOWGATE_URL: url, FLOWGATE_API_KEY: apiKey } = readSettings('FLOWGATE_URL', 'FLOWGATE_API_KEY');
const account = privateKeyToAccount(developmentKeys.flowPaidReport);

const walk = await startWalk(url, apiKey, { appId: 'flowgate/paid-report' });
await walk.submit('order', { blocks: 5 });

const asked = await showRefusal('without payment', walk.submit('buy'));
const payment = await pay(asked);

const idempotencyKey = crypto.randomUUID();
const { sessionId, stateVersion } = walk.session();
const sold = await walk.submit('buy', {}, { payment, idempotencyKey });
const { transaction, amount, network } = sold.paymentReceipt ?? { transaction: 'nothing', network: 'nowhere' };
console.log(`paid ${amount} on ${network} with transaction ${transaction}`);
console.log(sold.currentStep.description);
console.log(`session ${sold.status}`);

// Simulates a lost answer: the same key returns the same receipt, and nothing is paid again.
const submission = { actionId: 'buy', stateVersion };
const again = await walk.client.flow.sessions.submit(sessionId, 'pay', submission, { payment, idempotencyKey });
console.log(`submitted again: ${again.paymentReceipt?.transaction === transaction ? 'the same receipt' : 'ANOTHER'}`);

const reports = await walk.client.flow.query('flowgate/paid-report', 'reports');
console.log(`reports stored by the app: ${Array.isArray(reports) ? reports.length : 'none'}`);
await showEvents(walk);

/**
 * Signs an authorization for the payment in the 402. The token moves when the gateway settles it, only once, however often it is sent. The signer sets the
 * limits: only this chain, only tokens that the step accepts, at most one dollar (of six decimal places).
 */
async function pay({ accepts = [] }: FlowgateError): Promise<string> {
  const requirements = accepts.filter(isRequirement);
  const [first] = requirements;
  if (first === undefined) throw new Error('The gateway did not say what it accepts.');
  console.log(`asked for ${first.amount} of ${first.extra['name']} on ${first.network}`);
  const payer = new x402Client().register('eip155:31337', new ExactEvmScheme(account)).setSpendControls({
    allowedAssets: [{ network: 'eip155:31337', asset: first.asset, maxAmountPerPayment: '1000000' }],
  });
  const resource = { url: `${url}/flow/sessions/${walk.session().sessionId}/steps/pay` };
  const payload = await payer.createPaymentPayload({ x402Version: 2, resource, accepts: requirements });
  return encodePaymentSignatureHeader(payload);
}

function isRequirement(value: object): value is PaymentRequirements {
  return 'scheme' in value && 'network' in value && 'amount' in value && 'asset' in value && 'extra' in value;
}
