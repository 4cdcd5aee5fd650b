/** The routes of withdrawals: parse, call one use, shape the reply (contract/withdrawals). */

import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { recordQuery } from '../lists/record-query.ts';
import { findWithdrawal, listWithdrawals, type WithdrawalDeps } from './list-withdrawals.ts';
import { prepareStep, type StepDeps } from './prepare-step.ts';
import type { WithdrawalStep } from './why-not-yet.ts';
import { withdrawalStatuses } from './withdrawal.ts';
import { withdrawal, withdrawalPage, withdrawalPath, withdrawalStepInput } from './withdrawal-wire.ts';

export function withdrawalRoutes(deps: WithdrawalDeps & StepDeps): readonly CallerRoute[] {
  const stepRoute = (step: WithdrawalStep, summary: string, description: string): CallerRoute => ({
    method: 'POST',
    path: `/users/me/withdrawals/{withdrawalId}/${step}`,
    accessLevel: 'caller',
    doc: {
      summary,
      description: `${description} A withdrawal that is too early or done is 409, and the message has the blockers and, where known, the end of the window. A transaction that would fail on the chain is 502 with its reason. The gateway has no wallet keys: the caller signs and sends.`,
      tag: 'Bridges',
      path: withdrawalPath,
      body: withdrawalStepInput,
      bodyIsOptional: true,
      responses: [{ status: 200, description: 'The transaction to sign.', schema: preparedTransactions }],
      refusals: ['bad-request', 'denied', 'not-found', 'conflict', 'bad-gateway'],
    },
    handle: async ({ caller, params, body }) =>
      okReply(await prepareStep(deps, caller, step, params['withdrawalId'] ?? '', body)),
  });
  const finalize = stepRoute(
    'finalize',
    'Prepare the finalization of a withdrawal',
    'The transaction on L1 that executes a withdrawal, with the proof that counts, from any sender.',
  );
  return [
    {
      method: 'GET',
      path: '/users/me/withdrawals',
      accessLevel: 'caller',
      doc: {
        summary: 'List withdrawals',
        description:
          "Withdrawals that the caller's linked wallets send or receive over the bridges of this gateway, newest first by the time of the block on L2, including those from before a wallet was linked. A contract wallet counts on its own chain only.",
        tag: 'Bridges',
        query: recordQuery(withdrawalStatuses),
        responses: [{ status: 200, description: 'A page of withdrawals.', schema: withdrawalPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listWithdrawals(deps, caller.userId, query)),
    },
    {
      method: 'GET',
      path: '/users/me/withdrawals/{withdrawalId}',
      accessLevel: 'caller',
      doc: {
        summary: 'Get a withdrawal',
        description: 'A withdrawal that a linked wallet of the caller sends or receives; any other is 404.',
        tag: 'Bridges',
        path: withdrawalPath,
        responses: [{ status: 200, description: 'The withdrawal.', schema: withdrawal }],
        refusals: ['not-found'],
      },
      handle: async ({ caller, params }) =>
        okReply(await findWithdrawal(deps, caller.userId, params['withdrawalId'] ?? '')),
    },
    stepRoute(
      'prove',
      'Prepare the proof of a withdrawal',
      'The transaction on L1 that proves a withdrawal, against a posted root that L2 confirms.',
    ),
    finalize,
    deprecatedPath(finalize, '/users/me/withdrawals/{withdrawalId}/finalise'),
  ];
}

/** The same route under its former path. */
function deprecatedPath(route: CallerRoute, path: string): CallerRoute {
  const { summary, description } = route.doc;
  return {
    ...route,
    path,
    doc: {
      ...route.doc,
      summary: `${summary} (deprecated path)`,
      description: `Deprecated: use \`${route.method} ${route.path}\`, which works in the same way. ${description}`,
      deprecated: true,
    },
  };
}
