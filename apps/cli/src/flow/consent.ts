/** Signs only with consent: the user confirms, or an option allows it. */

import type { JsonMembers } from '@flowgate/client';
import type { PaymentAsked } from '@flowgate/client/flow';
import { CliProblem } from '../cli-problem.ts';
import { payableOffer, signPayment } from './sign-payment.ts';
import { reportedTransaction, signPrepared } from './sign-prepared.ts';
import type { Walk } from './walk.ts';

/** The signature; undefined when the user signs elsewhere. */
export async function signature(
  { cli, account, prompts, options, report }: Walk,
  transaction: JsonMembers,
): Promise<string | undefined> {
  const signer = await account();
  if (signer === undefined) {
    await report({ type: 'sign', transaction });
    if (!cli.output.isJson())
      await cli.output.say(`To be signed elsewhere:\n${JSON.stringify(transaction, undefined, 2)}`);
    return undefined;
  }
  const lines = reportedTransaction(transaction);
  if (options.yes !== true) {
    if (prompts === undefined)
      throw new CliProblem(
        'usage',
        `signing needs a confirmation:\n${lines.join('\n')}`,
        '--yes signs what the app prepares.',
      );
    if (!(await prompts.confirm('Sign this transaction?'))) throw new CliProblem('refused', 'not signed');
  }
  return signPrepared(signer, transaction);
}

/** `time`: 1 for the first payment of this run. Undefined leaves the session unchanged. */
export async function payFor(
  { cli, account, prompts, options, report, url }: Walk,
  { session, accepts, error }: PaymentAsked,
  time: number,
): Promise<string | undefined> {
  const offer = payableOffer(accepts);
  const signer = await account();
  // The last payment may have been taken although the answer was lost, so only a user decides about another one.
  if (time > 1 && prompts === undefined) throw error ?? new CliProblem('refused', 'the payment was not accepted');
  if (offer === undefined || signer === undefined) {
    await report({ type: 'payment', sessionId: session.sessionId, accepts });
    if (prompts === undefined)
      throw new CliProblem(
        'usage',
        'this step has to be paid for',
        '--key-file FILE --pay-up-to AMOUNT --pay-with TOKEN signs the payment.',
      );
    prompts.say(`This step must be paid for:\n${JSON.stringify(accepts, undefined, 2)}`, 'warn');
    return prompts.line(
      'The signed payment, in base64 (empty to leave)',
      /^[A-Za-z0-9+/]{4,16384}={0,2}$/,
      'must be base64',
    );
  }
  const { amount, network, asset, payTo, name } = offer;
  // The app's name for the token comes last, so that a long name hides nothing.
  const what = `${amount} of ${asset} on ${network} to ${payTo}, which the app calls ${JSON.stringify(name.slice(0, 40))}`;
  await report({ type: 'payment', sessionId: session.sessionId, amount: String(amount), network, asset, payTo });
  if (options.payUpTo !== undefined && amount > BigInt(options.payUpTo))
    throw new CliProblem('refused', `it costs ${what}, more than --pay-up-to ${options.payUpTo}`);
  // An amount has no meaning without its token, which the app chooses.
  const token = `${network}/${asset}`;
  const isAgreed = options.payUpTo !== undefined && options.payWith?.toLowerCase() === token.toLowerCase();
  if (!isAgreed || time > 1) {
    if (prompts === undefined)
      throw new CliProblem('usage', `it costs ${what}`, `--pay-up-to ${amount} --pay-with ${token} agrees to it.`);
    if (time > 1) prompts.say(error?.message ?? 'The last payment was not accepted.', 'error');
    if (!(await prompts.confirm(`Pay, in the token's smallest units, ${what}?`))) return undefined;
  }
  const { randomBytes, clock } = cli.runtime;
  const resourceUrl = `${url}/flow/sessions/${session.sessionId}/steps/${session.currentStep.stepId}`;
  return signPayment(offer, { account: signer, randomBytes, nowMs: clock.now(), resourceUrl });
}
