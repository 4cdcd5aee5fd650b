/** The route that lists a user's deposits, swaps and withdrawals (contract/history). */

import { z } from 'zod';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { listQuery } from '../lists/list-query.ts';
import { historyTypes } from './history-record.ts';
import { historyPage } from './history-wire.ts';
import { type HistoryDeps, listHistory } from './list-history.ts';

export function historyRoutes(deps: HistoryDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/users/me/history',
      accessLevel: 'caller',
      doc: {
        summary: 'List deposits, swaps and withdrawals',
        description:
          'Deposits, swaps and withdrawals in one list, newest first by the time of their block: one entry for each record in which a linked wallet sends or receives, including those from before the wallet was linked.',
        tag: 'Bridges',
        query: listQuery([{ name: 'type', description: 'Of this type only.', schema: () => z.enum(historyTypes) }]),
        responses: [{ status: 200, description: 'A page of the history.', schema: historyPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listHistory(deps, caller.userId, query)),
    },
  ];
}
