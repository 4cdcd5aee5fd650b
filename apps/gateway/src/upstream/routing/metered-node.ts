/** Counts the outcomes of tries at a node, and exposes its state as gauges. A pool passes each outcome to `note`, so counting needs no promise. */

import type { Counter } from '@flowgate/telemetry/metrics/instruments';
import type { Family, GaugeFamily } from '@flowgate/telemetry/metrics/registry';
import { type NodeFault, nodeFaults } from '../port/node-faults.ts';
import type { TryReply } from '../port/node-transport.ts';
import type { WatchedNode } from './watched-node.ts';

export type NodeInstruments = {
  readonly nodeRequests: Family<Counter>;
  readonly nodeState: GaugeFamily;
  readonly nodeHead: GaugeFamily;
};

/** Names from the configuration, never of a user. */
export type NodeLabels = { readonly network: string; readonly node: string };

/** Nodes that users registered share one label, and have no state gauges. */
const registered: NodeLabels = { network: 'registered', node: 'registered' };

type NodeState = 'healthy' | 'unhealthy' | 'resting' | 'out';
const states: readonly NodeState[] = ['healthy', 'unhealthy', 'resting', 'out'];

/** Returns the node itself without instruments. */
export function meteredNode(
  node: WatchedNode,
  instruments: NodeInstruments | undefined,
  labels: NodeLabels | undefined,
): WatchedNode {
  if (instruments === undefined) return node;
  const { network, node: name } = labels ?? registered;
  const outcome = (what: string) => instruments.nodeRequests.with(network, name, what);
  const [answered, error] = [outcome('answered'), outcome('error')];
  const failed = new Map(faults.map((fault) => [fault, outcome(fault)]));
  const hide = labels === undefined ? () => {} : show(node, instruments, labels);
  return {
    ...node,
    note(reply, ticket) {
      if (!reply.ok) failed.get(reply.fault)?.add();
      else (isError(reply.answer) ? error : answered).add();
      node.note(reply, ticket);
    },
    close() {
      hide();
      node.close();
    },
  };
}

/** Returns the function that removes the gauges. */
function show(node: WatchedNode, { nodeState, nodeHead }: NodeInstruments, labels: NodeLabels): () => void {
  const names = [labels.network, labels.node];
  const shown = [
    nodeHead.add(names, node.head),
    ...states.map((state) => nodeState.add([...names, state], () => (stateOf(node) === state ? 1 : 0))),
  ];
  return () => {
    for (const hide of shown) hide();
  };
}

const faults = Object.keys(nodeFaults).filter(isFault);

function isFault(name: string): name is NodeFault {
  return Object.hasOwn(nodeFaults, name);
}

function stateOf(node: WatchedNode): NodeState {
  if (node.isOut()) return 'out';
  if (node.isCircuitOpen()) return 'resting';
  return node.isUnhealthy() ? 'unhealthy' : 'healthy';
}

/** A JSON-RPC error is an answer, but many errors deserve attention. */
function isError(answer: Extract<TryReply<unknown>, { ok: true }>['answer']): boolean {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && answer.kind === 'error';
}
