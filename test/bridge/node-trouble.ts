/** Faults of the nodes of a simulated bridge while a gateway follows them. */

import type { SimBridge, SimSide } from '../../apps/gateway/test/fixtures/sim-bridge.ts';
import { logLies, type SimBridgeNode } from '../../apps/gateway/test/fixtures/sim-bridge-node.ts';

type Trouble = (node: SimBridgeNode, bridge: SimBridge, side: SimSide) => void;

/** Each lasts until the node is healed. */
export const troubles: Readonly<Record<string, Trouble>> = {
  'omits single logs': (node, { chance }) => node.lieAboutLogs(logLies.singles(chance, 3)),
  'omits single logs, also from receipts': (node, { chance }) => {
    node.lieAboutLogs(logLies.singles(chance, 3));
    node.lieAboutReceipts(logLies.singles(chance, 3));
  },
  'omits the logs of some blocks': (node, { chance }) => node.lieAboutLogs(logLies.holes(chance, 2)),
  'omits all logs': (node) => node.lieAboutLogs(logLies.nothing),
  'returns logs twice': (node) => node.lieAboutLogs(logLies.doubled),
  'returns logs in the wrong order': (node) => node.lieAboutLogs(logLies.reversed),
  'returns logs with wrong blocks': (node) => node.lieAboutLogs(logLies.wrongBlocks),
  'returns logs as removed': (node) => node.lieAboutLogs(logLies.removed),
  'refuses ranges': (node) =>
    node.fail({ kind: 'error', code: -32005, message: 'query returned more than 10000 results' }, 'eth_getLogs'),
  'answers late': (node) => node.fail({ kind: 'slow', ms: 200 }),
  'answers with invalid data': (node) => node.fail({ kind: 'rubbish' }),
  'answers with null': (node) => node.fail({ kind: 'result', result: null }),
  'answers with errors': (node) => node.fail({ kind: 'error', code: -32603, message: 'internal error' }),
  'is overloaded': (node) => node.fail({ kind: 'status', status: 429, retryAfter: '1' }),
  'breaks off': (node) => node.fail({ kind: 'half' }),
  'ends connections': (node) => node.fail({ kind: 'dead' }),
  'knows no transactions': (node) => node.fail({ kind: 'result', result: null }, /Transaction/),
  lags: (node) => node.lagBehind(4),
  'is frozen': (node) => node.freeze(),
  boasts: (node) => node.boast(50),
  'is on another fork': (node, bridge, side) => {
    const depth = Math.min(6, bridge.chains[side].head().number - 1);
    if (depth > 0) node.follow(bridge.fork(side, depth, depth + 2));
  },
  'is unavailable': (node) => node.kill(),
};

/** Gives a fault to one node of each side at most; the others remain well. The faults come in order, beginning with the `nth`. Returns the description. */
export function makeTrouble(
  bridge: SimBridge,
  nodes: Readonly<Record<SimSide, readonly SimBridgeNode[]>>,
  nth: number,
): readonly string[] {
  const { chance } = bridge;
  const all = Object.entries(troubles);
  let next = nth;
  return (['l1', 'l2'] as const).flatMap((side) => {
    const node = nodes[side][chance(nodes[side].length)];
    const [name, trouble] = all[next % all.length] ?? [];
    if (node === undefined || trouble === undefined || chance(3) === 0) return [];
    next++;
    trouble(node, bridge, side);
    return `a node of ${side} ${name}`;
  });
}

export function healAll(nodes: Readonly<Record<SimSide, readonly SimBridgeNode[]>>): void {
  for (const node of [...nodes.l1, ...nodes.l2]) {
    node.revive();
    node.heal();
    node.release();
  }
}
