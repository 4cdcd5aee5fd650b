/** The routes that prepare deposits and withdrawals (contract/transfers#deposits-and-withdrawals). */

import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { bridgeTransferInput } from './bridge-transfer-input.ts';
import { prepareTransfer, type TransferDeps } from './prepare-transfer.ts';

const checked =
  "Checked against the chain: an amount of zero, or above the wallet's balance, is 400 and the message has the balance; a transaction that would fail is 502 with its reason. The gateway has no wallet keys: the caller signs and sends.";

export function transferRoutes(deps: TransferDeps): readonly CallerRoute[] {
  const route = (source: 'l1' | 'l2', path: string, summary: string, description: string): CallerRoute => ({
    method: 'POST',
    path,
    accessLevel: 'caller',
    doc: {
      ...{ summary, description: `${description} ${checked}`, tag: 'Bridges' },
      body: bridgeTransferInput,
      responses: [
        {
          status: 200,
          description: 'The transactions to sign, in the order in which they must be sent.',
          schema: preparedTransactions,
        },
      ],
      refusals: ['bad-request', 'denied', 'not-found', 'bad-gateway'],
    },
    handle: async ({ caller, body }) => okReply(await prepareTransfer(deps, caller, source, body)),
  });
  return [
    route(
      'l1',
      '/deposits/transactions',
      'Prepare a deposit',
      "The transactions on L1 with which a linked wallet sends ether or a token to L2, in the order in which they must be sent. An approval of exactly the amount comes first where the bridge's allowance is too small.",
    ),
    route(
      'l2',
      '/withdrawals/transactions',
      'Prepare a withdrawal',
      'The transactions on L2 with which a linked wallet sends ether or a token to L1, where the withdrawal is then proven and finalized.',
    ),
  ];
}
