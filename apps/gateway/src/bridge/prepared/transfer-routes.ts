/** The routes that prepare deposits and withdrawals (contract/transfers#deposits-and-withdrawals). */

import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { prepareTransfer, type TransferDeps } from './prepare-transfer.ts';
import { bridgeTransferInput } from './transfer-input.ts';

const checked =
  'Checked against the chain: an amount of zero, or of more than the wallet has, is 400 and says how much there is; what would fail is 502 with its reason. The gateway has no wallet keys: the caller signs and sends.';

export function transferRoutes(deps: TransferDeps): readonly CallerRoute[] {
  const route = (source: 'l1' | 'l2', path: string, summary: string, description: string): CallerRoute => ({
    method: 'POST',
    path,
    accessLevel: 'caller',
    doc: {
      ...{ summary, description: `${description} ${checked}`, tag: 'Bridges' },
      body: bridgeTransferInput,
      responses: [{ status: 200, description: 'What is to be signed.', schema: preparedTransactions }],
      refusals: ['bad-request', 'denied', 'not-found', 'bad-gateway'],
    },
    handle: async ({ caller, body }) => okReply(await prepareTransfer(deps, caller, source, body)),
  });
  return [
    route(
      'l1',
      '/deposits/transactions',
      'Prepare a deposit',
      'The transactions on L1 by which a linked wallet sends ether or a token to L2, in the order in which they are to be sent; an approval of exactly the amount first, where the bridge may not take enough yet.',
    ),
    route(
      'l2',
      '/withdrawals/transactions',
      'Prepare a withdrawal',
      'The transactions on L2 by which a linked wallet sends ether or a token to L1, where the withdrawal is then proven and finalized.',
    ),
  ];
}
