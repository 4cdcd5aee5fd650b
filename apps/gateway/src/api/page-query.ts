/** The query parameters of a list, for the reference. */

import { maxPageLimit } from '@flowgate/base/page';
import { z } from 'zod';
import type { RouteQueryDoc } from './route.ts';

export function limitQuery(defaultLimit: number): RouteQueryDoc {
  return {
    name: 'limit',
    description: `The maximum number of entries on a page. Default: ${defaultLimit}, or ${maxPageLimit} for a caller with an API key.`,
    schema: () => z.int().min(1).max(maxPageLimit),
  };
}

/** Query parameters of every list (contract/conventions#lists). */
export function pageQuery(defaultLimit: number): readonly RouteQueryDoc[] {
  return [
    limitQuery(defaultLimit),
    { name: 'cursor', description: '`nextCursor` of the previous page.', schema: () => z.string() },
  ];
}
