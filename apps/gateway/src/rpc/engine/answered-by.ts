/** Which node gave an answer. Heads, cache and traces read the node of a batch's element here, since a batch may be joined from answers of several nodes. */

import type { NodeReply } from '../../upstream/port/node-port.ts';

type Answered = Pick<Extract<NodeReply<unknown>, { ok: true }>, 'nodeId' | 'nodeIds' | 'from' | 'sources'>;

/** The node of the element at `place`. Empty when no node gave the element, or when it was joined from answers of several nodes. */
export function nodeOf({ nodeId, nodeIds }: Pick<Answered, 'nodeId' | 'nodeIds'>, place: number): string {
  return nodeIds === undefined ? nodeId : (nodeIds[place] ?? '');
}

/** Where an answer came from, as `X-Flowgate-Served-By` lists it. */
export function sourcesOf({ sources, from, nodeId }: Answered): readonly string[] {
  return sources ?? (from === undefined && nodeId === '' ? [] : [from ?? nodeId]);
}
