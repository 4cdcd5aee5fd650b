/** The administrators' route of the indexer (contract/indexer#progress). */

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
        summary: "Get the indexer's state",
        description:
          'How far the chains of bridges and pools are read, what interrupts reading, and which process reads. Every gateway gives the same answer.',
        tag: 'Administration',
        responses: [{ status: 200, description: 'The streams.', schema: indexers, headers: ['Cache-Control'] }],
        refusals: [],
      },
      handle: async () => okReply(ok(await listIndexers(deps)), { 'Cache-Control': 'no-store' }),
    },
  ];
}
