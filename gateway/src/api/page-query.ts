/** The query parameters of a list, for the reference. */

import { maxPageLimit } from '../platform/page.ts';

/** How every list is paged (contract/conventions#lists). */
export function pageQuery(defaultLimit: number) {
  return [
    {
      name: 'limit',
      description: 'Entries on a page.',
      schema: { type: 'integer', minimum: 1, maximum: maxPageLimit, default: defaultLimit },
    },
    { name: 'cursor', description: "The last page's `nextCursor`.", schema: { type: 'string' } },
  ];
}
