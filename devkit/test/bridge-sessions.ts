/** Sessions of users with the bridge app. Each request reaches a newly started app, which knows only the request. */
import type { JsonMembers, RenderResponse } from '@flowgate/client/flow-wire';
import { until } from '@flowgate/testing/until';
import type { Hex } from 'viem';
import type { LocalAccount } from 'viem/accounts';
import { bridge } from '../src/apps/bridge.ts';
import { type PreparedTransaction, unsigned } from '../src/apps/prepared-transaction.ts';
import type { LocalBridge } from '../src/rollup/local-rollup.ts';
import { served, walk } from './app-driver.ts';

export function bridgeSessions(options: LocalBridge) {
  const freshApp = async (request: Request): Promise<Response> => {
    return await served(bridge({ ...options, confirmations: 3 }))(request);
  };
  /** A session of the account's owner; `storedAppData` is the app data of earlier sessions. */
  return async (account: LocalAccount, stepId = 'choose', storedAppData: JsonMembers = {}) => {
    const { first, submit, appData, meanwhile } = await walk(freshApp, stepId, storedAppData);
    const send = async (answer: RenderResponse) => submit('send', { signedTransaction: await sign(account, answer) });
    const untilShown = async (isThere: (answer: RenderResponse) => boolean): Promise<RenderResponse> => {
      let last: RenderResponse | undefined;
      const isShown = async () => {
        last = await submit('look');
        return isThere(last);
      };
      await until('the step is shown', isShown).catch((cause: unknown) => {
        throw new Error(`still ${JSON.stringify(last?.step)}`, { cause });
      });
      if (last === undefined) throw new Error('nothing was shown');
      return last;
    };
    const prepare = (wish: JsonMembers) =>
      submit('prepare', { direction: 'deposit', asset: 'ether', amount: '1', wallet: account.address, ...wish });
    return { first, submit, appData, meanwhile, send, untilShown, prepare };
  };
}

export const transactionOf = ({ step }: Pick<RenderResponse, 'step'>) => step.transaction as PreparedTransaction;

export const sign = (account: LocalAccount, answer: Pick<RenderResponse, 'step'>): Promise<Hex> =>
  account.signTransaction(unsigned(transactionOf(answer)));

export const statusOf = ({ step }: RenderResponse) => step.options?.['status'];

export const isStep = (stepId: string) => (answer: RenderResponse) => answer.step.stepId === stepId;

/** The hashes in the step's transactions. */
const sentIn = ({ step: { options = {} } }: RenderResponse) =>
  options['transactions'] as readonly { readonly purpose: string; readonly hash: Hex }[];

export const purposesOf = (answer: RenderResponse) => sentIn(answer).map(({ purpose }) => purpose);

export const hashesOf = (answer: RenderResponse) => sentIn(answer).map(({ hash }) => hash);
