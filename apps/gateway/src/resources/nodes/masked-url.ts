/** A node's URL as its owner and administrators see it: without what could be a key (contract/nodes#visibility-of-urls). */

import { isPublicWord } from '../../upstream/networks/node-secrets.ts';

/** Each path segment that is no common word of nodes' addresses reads `***`. User, query and fragment, which only operators' nodes have, are left out. */
export function maskedUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.split('/').map(masked).join('/');
}

function masked(segment: string): string {
  return segment === '' || isPublicWord(segment) ? segment : '***';
}
