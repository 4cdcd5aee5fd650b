/** The routes of deposits: parse, call one use, shape the reply (contract/deposits). */

import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { recordQuery } from '../lists/record-query.ts';
import { depositStatuses } from './deposit.ts';
import { deposit, depositPage, depositPath } from './deposit-wire.ts';
import { type DepositDeps, findDeposit, listDeposits } from './list-deposits.ts';

export function depositRoutes(deps: DepositDeps): readonly CallerRoute[] {
  const find: Pick<CallerRoute, 'method' | 'accessLevel' | 'handle'> & { readonly doc: CallerRoute['doc'] } = {
    method: 'GET',
    accessLevel: 'caller',
    doc: {
      summary: 'Get a deposit',
      description:
        'A deposit that a linked wallet of the caller sends or receives; any other is 404. When it makes no progress for too long, the gateway checks its transaction on L1, at most once a minute.',
      tag: 'Bridges',
      path: depositPath,
      responses: [{ status: 200, description: 'The deposit.', schema: deposit }],
      refusals: ['not-found'],
    },
    handle: async ({ caller, params }) => okReply(await findDeposit(deps, caller.userId, params['depositId'] ?? '')),
  };
  return [
    {
      method: 'GET',
      path: '/users/me/deposits',
      accessLevel: 'caller',
      doc: {
        summary: 'List deposits',
        description:
          "Deposits that the caller's linked wallets send or receive over the bridges of this gateway, newest first by the time of the block on L1, including those from before a wallet was linked. A contract wallet counts on its own chain only.",
        tag: 'Bridges',
        query: recordQuery(depositStatuses),
        responses: [{ status: 200, description: 'A page of deposits.', schema: depositPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listDeposits(deps, caller.userId, query)),
    },
    { ...find, path: '/users/me/deposits/{depositId}' },
    { ...find, path: '/deposits/{depositId}', doc: { ...find.doc, summary: 'Get a deposit by its short path' } },
  ];
}
