/** The routes that prepare the replay of a failed message (contract/transfers#replays). */

import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute, PathParameterDoc } from '../../api/route.ts';
import { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { depositPath } from '../deposits/deposit-wire.ts';
import { withdrawalPath } from '../withdrawals/withdrawal-wire.ts';
import { prepareReplay, type ReplayDeps } from './prepare-replay.ts';
import { replayInput } from './replay-input.ts';

export function replayRoutes(deps: ReplayDeps): readonly CallerRoute[] {
  const route = (
    kind: 'deposit' | 'withdrawal',
    idName: string,
    path: Readonly<Record<string, PathParameterDoc>>,
    side: 'L1' | 'L2',
  ): CallerRoute => ({
    method: 'POST',
    path: `/users/me/${kind}s/{${idName}}/replay`,
    accessLevel: 'caller',
    doc: {
      summary: `Prepare the replay of a ${kind}`,
      description: `The transaction on ${side} with which the messenger relays the message of a ${kind} again that failed with \`relay_failed\`. A message that has not failed, or was relayed since, is 409. The gateway has no wallet keys: the caller signs and sends.`,
      tag: 'Bridges',
      path,
      body: replayInput,
      bodyIsOptional: true,
      responses: [{ status: 200, description: 'The transaction to sign.', schema: preparedTransactions }],
      refusals: ['bad-request', 'denied', 'not-found', 'conflict', 'bad-gateway'],
    },
    handle: async ({ caller, params, body }) =>
      okReply(await prepareReplay(deps, caller, kind, params[idName] ?? '', body)),
  });
  return [route('deposit', 'depositId', depositPath, 'L2'), route('withdrawal', 'withdrawalId', withdrawalPath, 'L1')];
}
