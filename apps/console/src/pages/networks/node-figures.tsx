/** Measurements of a node over the last five minutes, by the responding gateway (contract/node-figures). */
import type { NodeRecord } from '@flowgate/client';
import { Badge } from '../../components/badge.tsx';
import { wholeNumber } from '../../format/whole-number.ts';

type Measured = Pick<NodeRecord, 'last5Minutes' | 'circuit'>;

/** Circuits that are not closed change within seconds. */
export function figuresRefreshMs(nodes: readonly Measured[]): number {
  return nodes.some(({ circuit }) => circuit !== undefined && circuit.state !== 'closed') ? 3_000 : 15_000;
}

const Nothing = () => <span className="text-faint">–</span>;

export function NodeFigures({ of: { last5Minutes } }: { readonly of: Measured }) {
  if (last5Minutes === undefined) return <Nothing />;
  const { calls, failed, errorRate = 0, p50Ms, p95Ms } = last5Minutes;
  if (calls === 0) return <span className="text-faint">No calls in 5 minutes</span>;
  const [latency, slowest] =
    p50Ms === undefined || p95Ms === undefined
      ? ['No responses', undefined]
      : [`p50 ${milliseconds(p50Ms)},`, `p95 ${milliseconds(p95Ms)}`];
  return (
    <span className="inline-block">
      <span className="block">
        <span className="whitespace-nowrap">{latency}</span>{' '}
        {slowest !== undefined && <span className="whitespace-nowrap">{slowest}</span>}
      </span>
      <span className={failed > 0 ? 'block text-xs text-warn' : 'block text-xs text-faint'}>
        {`${percent(errorRate)} errors in ${wholeNumber(calls)} ${calls === 1 ? 'call' : 'calls'}`}
      </span>
    </span>
  );
}

export function NodeCircuit({ of: { circuit } }: { readonly of: Measured }) {
  if (circuit === undefined) return <Nothing />;
  const retry = circuit.retryAfterSeconds === undefined ? '' : `, retry in ${wholeNumber(circuit.retryAfterSeconds)} s`;
  if (circuit.state === 'open') return <Badge tone="bad">{`Open${retry}`}</Badge>;
  if (circuit.state === 'half-open') return <Badge tone="warn">Half-open</Badge>;
  if (circuit.state === 'cooling-down') return <Badge tone="warn">{`Cooling down${retry}`}</Badge>;
  return <Badge tone="good">Closed</Badge>;
}

/** Three significant digits, the gateway's precision. */
function milliseconds(ms: number): string {
  return ms < 10_000 ? `${wholeNumber(ms)} ms` : `${Number((ms / 1_000).toPrecision(3))} s`;
}

/** Never 0% when a call failed. */
function percent(share: number): string {
  return share > 0 && share < 0.001 ? '< 0.1%' : `${Number((share * 100).toFixed(1))}%`;
}
