/** Counts requests by surface and outcome, and measures their time. It runs for every call, so it allocates nothing (docs/decisions/0086). */

import type { Clock } from '@flowgate/base/clock';
import type { Counter, Histogram } from '@flowgate/telemetry/metrics/instruments';
import type { Family } from '@flowgate/telemetry/metrics/registry';
import { type RefusalReason, refusalReasons } from '../../api/refusal.ts';
import { AgentContext } from '../contexts/agent-context.ts';
import { MessageContext } from '../contexts/message-context.ts';
import type { RequestContext } from '../contexts/request-context.ts';
import { RouteContext } from '../contexts/route-context.ts';
import { RpcContext } from '../contexts/rpc-context.ts';

export type RequestMeter = (context: RequestContext) => void;

/** `websocket`: messages; `public`: routes without authentication, such as probes. */
type Surface = 'rpc' | 'websocket' | 'rest' | 'flow' | 'agents' | 'public';

/** The outcome of requests that were not refused. */
const ok = 'ok';

export type RequestInstruments = {
  readonly requests: Family<Counter>;
  readonly requestSeconds: Family<Histogram>;
  readonly limited: Family<Counter>;
};

type SurfaceMeter = {
  readonly ok: Counter;
  readonly refused: ReadonlyMap<RefusalReason, Counter>;
  readonly seconds: Histogram;
  readonly overLimit: Counter;
  readonly overCredentialLimit: Counter;
};

export function createRequestMeter(
  { requests, requestSeconds, limited }: RequestInstruments,
  { monotonic }: Pick<Clock, 'monotonic'>,
): RequestMeter {
  const meterOf = (surface: Surface): SurfaceMeter => ({
    ok: requests.with(surface, ok),
    refused: new Map(refusalReasons.map((reason) => [reason, requests.with(surface, reason)])),
    seconds: requestSeconds.with(surface),
    overLimit: limited.with(surface, 'requests'),
    overCredentialLimit: limited.with(surface, 'credentials'),
  });
  const rpc = meterOf('rpc');
  const websocket = meterOf('websocket');
  const rest = meterOf('rest');
  const flow = meterOf('flow');
  const agents = meterOf('agents');
  const open = meterOf('public');

  function meterFor(context: RequestContext): SurfaceMeter {
    if (context instanceof RpcContext) return context instanceof MessageContext ? websocket : rpc;
    if (context instanceof AgentContext) return agents;
    if (context instanceof RouteContext && context.route.accessLevel === 'public') return open;
    return context.envelope === 'rpc' ? rpc : context.envelope === 'flow' ? flow : rest;
  }

  return (context) => {
    const meter = meterFor(context);
    const { refusedFor } = context;
    if (refusedFor === undefined) meter.ok.value += 1;
    else {
      meter.refused.get(refusedFor)?.add();
      if (refusedFor === 'rate-limited')
        (context.isAuthenticated ? meter.overLimit : meter.overCredentialLimit).value += 1;
    }
    // A tool's request is inside the message, which is answered with 200.
    if (context instanceof AgentContext && context.toolAdmission?.admitted === false) meter.overLimit.value += 1;
    meter.seconds.observe((monotonic() - context.openedMs) / 1000);
  };
}
