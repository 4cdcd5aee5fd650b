/** The query parameters of a list, for the reference. */

import { maxPageLimit } from '@flowgate/base/page';
import { z } from 'zod';
import type { RouteQueryDoc } from './route.ts';

export function limitQuery(defaultLimit: number): RouteQueryDoc {
  return {
    name: 'limit',
    description: `Entries on a page. By default ${defaultLimit}, and ${maxPageLimit} for a caller with an API key.`,
    schema: () => z.int().min(1).max(maxPageLimit),
  };
}

/** How every list is paged (contract/conventions#lists). */
export function pageQuery(defaultLimit: number): readonly RouteQueryDoc[] {
  return [
    limitQuery(defaultLimit),
    { name: 'cursor', description: "The last page's `nextCursor`.", schema: () => z.string() },
  ];
}
