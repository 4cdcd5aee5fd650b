/** Checks whether a URL may be stored as a node's: by the rules, and by the answers of the node (contract/nodes#rules, contract/nodes#probe). */

import { type Refused, refused } from '@flowgate/base/result';
import { refusedFor, refusedForOne } from '@flowgate/body-schema/body-problems';
import type { RouteRefusal } from '../../api/route.ts';
import type { Network } from '../../upstream/networks/network.ts';
import type { CheckNode, NodeCheck } from './node-check.ts';
import { checkNodeUrl, type NodeKind, type NodeUrlRules } from './node-url.ts';

export type NodeRuleDeps = { readonly rules: NodeUrlRules; readonly check: CheckNode };

export type FitUrl = { readonly ok: true; readonly url: URL; readonly providerId?: string };

/** The rules that need no network. `more`: problems of other members of the same body. */
export function fitUrl(
  text: string,
  kind: NodeKind,
  { rules }: NodeRuleDeps,
  more: readonly { readonly message: string }[] = [],
): FitUrl | RouteRefusal {
  const checked = checkNodeUrl(text, kind, rules);
  const problems = [...more, ...(checked.problems ?? []).map((message) => ({ message }))];
  if (checked.problems === undefined && problems.length === 0) {
    const { url, providerId } = checked;
    return { ok: true, url, ...(providerId === undefined ? {} : { providerId }) };
  }
  return refusedFor(problems);
}

/** Asks the node. Undefined when it is on the network's chain. */
export async function probeRefusal(
  { check }: NodeRuleDeps,
  url: URL,
  kind: NodeKind,
  network: Network,
  userId: string,
): Promise<RouteRefusal | undefined> {
  const { chain } = network;
  const found = await check({ url: url.href, vouched: kind === 'private', chain, tenant: userId });
  switch (found.kind) {
    case 'healthy':
      return undefined;
    case 'wrong-chain':
      return refusedForOne(
        `url must be of a node of ${network.dlt}/${network.networkId}: its chain is ${found.found}, not ${chain.identity}`,
      );
    case 'forbidden':
      return refusedForOne('url must have a public address');
    case 'not-asked':
      return refused('unavailable', 'Too many nodes are being checked: the node was not stored. Try again.');
    case 'no-answer':
      return noAnswer(found);
  }
}

function noAnswer({ detail, status }: Extract<NodeCheck, { kind: 'no-answer' }>): Refused<'bad-gateway'> {
  return refused(
    'bad-gateway',
    status === 429
      ? 'The provider of url answered 429, too many requests: the node was not stored. Try again later.'
      : `The node at url gave no usable answer (${detail}): the node was not stored.`,
  );
}
