/** The route that lists a user's deposits, swaps and withdrawals (contract/history). */

import { z } from 'zod';
import { pageQuery } from '../../api/page-query.ts';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { walletQuery } from '../wallet-query.ts';
import { historyTypes } from './history-record.ts';
import { historyPage } from './history-wire.ts';
import { type HistoryParts, listHistory } from './list-history.ts';

export function historyRoutes(parts: HistoryParts): readonly CallerRoute[] {
  const time = () => z.string().meta({ format: 'date-time' });
  return [
    {
      method: 'GET',
      path: '/users/me/history',
      admittance: 'caller',
      doc: {
        summary: 'List deposits, swaps and withdrawals',
        description:
          'All of them in one list, newest first by the time of their block: one entry for each in which a linked wallet sends or receives, also from before the wallet was linked.',
        tag: 'Bridges',
        query: [
          { name: 'type', description: 'Of this type only.', schema: () => z.enum(historyTypes) },
          walletQuery('Those of this wallet only. None when it is not linked.'),
          { name: 'after', description: 'Later than this time only.', schema: time },
          { name: 'before', description: 'Earlier than this time only.', schema: time },
          ...pageQuery(20),
        ],
        responses: [{ status: 200, description: 'A page of the history.', schema: historyPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listHistory(parts, caller.userId, query)),
    },
  ];
}
