/** Checks whether a network fits its family: the identity of its chain, its enabled methods, and its contracts. */

import { familyNames } from '@flowgate/chain/families/family-names';
import { ledgerFamilies } from '@flowgate/chain/families/ledger-families';
import type { LedgerFamily } from '@flowgate/chain/families/ledger-family';
import { member } from '@flowgate/json/json-object';
import { enableProblem } from '../rpc/method-policy.ts';

type Problem = { readonly path: readonly (string | number)[]; readonly message: string };

/** `network` is an entry of the file before validation; invalid members are reported by the schema. Paths begin at the network. */
export function networkProblems(network: unknown): readonly Problem[] {
  const reported = member(network, 'family') ?? 'evm';
  const name = familyNames.find((each) => each === reported);
  if (name === undefined || typeof network !== 'object' || network === null) return [];
  const family = ledgerFamilies[name];
  const has = (key: string) => member(network, key) !== undefined;
  const foreign = family.genesisHash === undefined ? ['genesisHash'] : ['chainId', 'contracts', 'staking'];
  return [
    ...identityProblems(family, network),
    ...foreign
      .filter(has)
      .map((key) => ({ path: [key], message: `is for other families: this network is of the family ${name}` })),
    ...nodeIdProblems(member(network, 'nodes')),
    ...enableProblems(family, member(member(network, 'methods'), 'enable')),
  ];
}

function identityProblems({ name, genesisHash }: LedgerFamily, network: unknown): readonly Problem[] {
  const path = [genesisHash === undefined ? 'chainId' : 'genesisHash'];
  const identity = member(network, path[0] ?? '');
  if (identity === undefined)
    return [{ path, message: `is required${name === 'evm' ? '' : `: it identifies a network of the family ${name}`}` }];
  const isNone = typeof identity === 'string' && genesisHash !== undefined && genesisHash.read(identity) === undefined;
  return isNone ? [{ path, message: genesisHash.form }] : [];
}

const registeredNodeId = /^node_[0-9A-Z]{26}$/;

/** Registered nodes have ids of this form, and ids of nodes must be unique. */
function nodeIdProblems(nodes: unknown): readonly Problem[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown, nth) => {
    const nodeId = member(node, 'nodeId');
    const isTaken = typeof nodeId === 'string' && registeredNodeId.test(nodeId);
    const message = 'must not have the form of ids of registered nodes';
    return isTaken ? [{ path: ['nodes', nth, 'nodeId'], message }] : [];
  });
}

function enableProblems({ methods }: LedgerFamily, enable: unknown): readonly Problem[] {
  if (!Array.isArray(enable)) return [];
  return enable.flatMap((pattern: unknown, nth) => {
    const message = typeof pattern === 'string' ? enableProblem(methods, pattern) : undefined;
    return message === undefined ? [] : [{ path: ['methods', 'enable', nth], message }];
  });
}
