/** The routes of withdrawals: parse, call one use, shape the reply (contract/withdrawals). */

import { pageQuery } from '../../api/page-query.ts';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { recordQuery } from '../record-query.ts';
import { findWithdrawal, listWithdrawals, type WithdrawalParts } from './list-withdrawals.ts';
import { withdrawalStatuses } from './withdrawal.ts';
import { withdrawal, withdrawalPage, withdrawalPath } from './withdrawal-wire.ts';

export function withdrawalRoutes(parts: WithdrawalParts): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/users/me/withdrawals',
      admittance: 'caller',
      doc: {
        summary: 'List withdrawals',
        description:
          "What the caller's linked wallets send or receive from L2 to L1 over the bridges of this gateway, newest first by the time of the block on L2; also from before a wallet was linked. A contract wallet counts on its own chain only.",
        tag: 'Users',
        query: [...recordQuery(withdrawalStatuses), ...pageQuery(20)],
        responses: [{ status: 200, description: 'A page of withdrawals.', schema: withdrawalPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listWithdrawals(parts, caller.userId, query)),
    },
    {
      method: 'GET',
      path: '/users/me/withdrawals/{withdrawalId}',
      admittance: 'caller',
      doc: {
        summary: 'Look at a withdrawal',
        description: 'One that a linked wallet of the caller sends or receives; others are 404.',
        tag: 'Users',
        path: withdrawalPath,
        responses: [{ status: 200, description: 'The withdrawal.', schema: withdrawal }],
        refusals: ['not-found'],
      },
      handle: async ({ caller, params }) =>
        okReply(await findWithdrawal(parts, caller.userId, params['withdrawalId'] ?? '')),
    },
  ];
}
