/** State badges of networks and nodes. */
import type { NetworkRecord, NodeRecord } from '@flowgate/client';
import { Badge, type Tone } from '../../components/badge.tsx';

const ofNetwork: Readonly<Record<NetworkRecord['status'], readonly [Tone, string]>> = {
  up: ['good', 'Up'],
  degraded: ['warn', 'Degraded'],
  down: ['bad', 'Down'],
  unknown: ['neutral', 'Not checked yet'],
};

export function NetworkState({ of }: { readonly of: Pick<NetworkRecord, 'status'> }) {
  const [tone, text] = ofNetwork[of.status];
  return <Badge tone={tone}>{text}</Badge>;
}

const ofNode: Readonly<Record<NodeRecord['status'], readonly [Tone, string]>> = {
  pending: ['accent', 'Checking'],
  healthy: ['good', 'Healthy'],
  unhealthy: ['bad', 'Unhealthy'],
};

export function NodeState({ of }: { readonly of: Pick<NodeRecord, 'status' | 'cordoned'> }) {
  if (of.cordoned === true) return <Badge tone="warn">Cordoned</Badge>;
  const [tone, text] = ofNode[of.status];
  return <Badge tone={tone}>{text}</Badge>;
}
