/** The query parameters of a list, for the reference. */

/** How every list is paged (contract/conventions#lists). */
export function pageQuery(defaultLimit: number) {
  return [
    {
      name: 'limit',
      description: 'Entries on a page.',
      schema: { type: 'integer', minimum: 1, maximum: 100, default: defaultLimit },
    },
    { name: 'cursor', description: "The last page's `nextCursor`.", schema: { type: 'string' } },
  ];
}
