/** The route of administrators about the indexer (contract/indexer#progress). */

import { ok } from '@flowgate/base/result';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { indexers } from './indexer-wire.ts';
import { type IndexerDeps, listIndexers } from './list-indexers.ts';

export function indexerRoutes(deps: IndexerDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/admin/indexers',
      accessLevel: 'admin',
      doc: {
        summary: 'Look at the indexer',
        description:
          'How far the chains of bridges and pools are read, what interrupts reading, and which process reads. The same from every gateway.',
        tag: 'Administration',
        responses: [{ status: 200, description: 'The streams.', schema: indexers, headers: ['Cache-Control'] }],
        refusals: [],
      },
      handle: async () => okReply(ok(await listIndexers(deps)), { 'Cache-Control': 'no-store' }),
    },
  ];
}
