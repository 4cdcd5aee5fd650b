import { expect, test } from 'bun:test';
import { ok, refused } from '@flowgate/base/result';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { evmReads } from '@flowgate/chain/families/evm-reads';
import { createManualClock } from '@flowgate/testing/manual-clock';
import fc from 'fast-check';
import { contextParts } from '../../../test/fixtures/context-parts.ts';
import type { Authentication } from '../../api/authenticator.ts';
import type { CallerRules } from '../../api/firewall.ts';
import type { MaintenanceNotice } from '../../api/maintenance.ts';
import type { Admission } from '../../api/rate-limiter.ts';
import { createCallGuards } from '../../rpc/call-guard.ts';
import { rpcRoutes } from '../../rpc/rpc-routes.ts';
import type { RpcTarget } from '../../rpc/target.ts';
import { FetchRequest } from '../contexts/fetch-request.ts';
import { runPipeline } from '../contexts/pipeline.ts';
import { RpcContext } from '../contexts/rpc-context.ts';
import { type EdgeServices, rpcPipeline } from './pipelines.ts';
import { runRpc } from './run-rpc.ts';

const admission: Admission = {
  admitted: true,
  limit: 100,
  remaining: 99,
  resetAtMs: 1_800_000_060_000,
  retryAfterMs: 0,
};
const over: Admission = { ...admission, admitted: false, remaining: 0, retryAfterMs: 7_000 };
const authentications: readonly Authentication[] = [
  { kind: 'caller', caller: { userId: 'alice', via: 'api-key', roles: [] } },
  { kind: 'refused', reason: 'credential-invalid' },
  { kind: 'refused', reason: 'credential-unverifiable' },
  { kind: 'limited', admission: over },
];
const call = '{"jsonrpc":"2.0","id":7,"method":"eth_call"}';
const bodies = [call, `[${call},${call}]`, call.replace('eth_call', 'admin_peers'), '{"jsonrpc"', '{}', `[${call}`];

/** One random run: numbers that choose an outcome for each step. */
const course = fc.record({
  accepts: fc.nat(5),
  key: fc.nat(5),
  first: fc.nat(5),
  again: fc.nat(5),
  changes: fc.boolean(),
  waitsMs: fc.constantFrom(0, 251),
  target: fc.nat(5),
  maintenance: fc.nat(5),
  uncharged: fc.nat(5),
  body: fc.nat(bodies.length - 1),
  unread: fc.nat(5),
  admits: fc.nat(3),
  node: fc.nat(2),
  /** A bit for each service: whether it answers later. */
  policies: fc.nat(3),
  later: fc.nat(255),
});
type Course = Parameters<
  Parameters<typeof fc.property<[typeof course extends fc.Arbitrary<infer T> ? T : never]>>[1]
>[0];

const notice = { rest: true, flow: true, message: 'Back soon.', retryAfterSeconds: 9 };
const notices: readonly (MaintenanceNotice | undefined)[] = [
  { ...notice, rpc: 'all' },
  { ...notice, rpc: new Set(['ethereum/dev']) },
  { ...notice, rpc: new Set(['ethereum/other']) },
  { ...notice, rpc: undefined },
];

const rulesThat = (allow: boolean): CallerRules => ({
  allows: () => allow,
  isNamed: () => false,
  concerns: () => false,
});

/** The services of one run, which record every question that they are asked. */
function servicesOf(chosen: Course) {
  const asked: string[] = [];
  const clock = createManualClock();
  let authentications_ = 0;
  let keyChanges = 0;
  const told = <T>(bit: number, name: string, answer: T): T | Promise<T> => {
    asked.push(name);
    return (chosen.later >> bit) % 2 === 1 ? Promise.resolve(answer) : answer;
  };
  const arrival = (context: { body: unknown }, bit: number, name: string): Promise<undefined> | undefined => {
    clock.advance(chosen.waitsMs);
    if (chosen.changes) keyChanges += 1;
    context.body = chosen.unread === 0 ? refused('too-large') : ok(new TextEncoder().encode(bodies[chosen.body]));
    const pending = told(bit, name, undefined);
    return pending instanceof Promise ? pending : undefined;
  };
  const target: RpcTarget = {
    policy: (method) => (method === 'admin_peers' ? 'blocked' : 'forward'),
    reads: evmReads,
    hideSecrets: (text) => text,
    place: { network: 'ethereum/dev', nodes: () => [], hasContracts: true },
    port: {
      send: async ({ method }) => {
        asked.push(`send ${method}`);
        return chosen.node === 0
          ? { ok: false, failure: 'timeout', mayHaveArrived: true }
          : {
              ok: true,
              nodeId: 'a',
              answer: { kind: chosen.node === 1 ? 'result' : 'error', raw: rangeOf('{"code":1,"message":""}') },
            };
      },
      sendBatch: async ({ questions }) => {
        asked.push(`sendBatch ${questions.length}`);
        return { ok: false, failure: 'unreachable', mayHaveArrived: false };
      },
    },
  };
  const services = {
    clock,
    accepting: () => chosen.accepts !== 0,
    authenticator: {
      keyChanges: () => keyChanges,
      authenticate: () => {
        authentications_ += 1;
        const nth = authentications_ === 1 ? chosen.first : chosen.again;
        return told(authentications_, 'authenticate', authentications[nth] ?? authentications[0]);
      },
    },
    limiter: {
      admit: (_user: string, cost: number) => told(3, `admit ${cost}`, chosen.admits === 0 ? over : admission),
      userLimit: () => 100,
      peek: () => admission,
    },
    unchargedDecoding: { waitMs: () => (chosen.uncharged === 0 ? 1_000 : 0), spend: () => void asked.push('spend') },
    guards: createCallGuards(
      {
        isIdle: chosen.policies === 0,
        rulesFor: () => told(6, 'rulesFor', chosen.policies === 1 ? 'unavailable' : rulesThat(chosen.policies === 2)),
      },
      () => undefined,
    ),
    maintenance: { current: notices[chosen.maintenance] },
    targets: {
      find: () => (chosen.target === 0 ? undefined : target),
      learn: () => {
        const pending = told(7, 'learn', undefined);
        return pending instanceof Promise ? pending : undefined;
      },
    },
    maxBatch: 2,
    readBody: (context: { body: unknown }) => arrival(context, 4, 'readBody'),
    readUnauthenticatedBody: (context: { body: unknown }) => arrival(context, 5, 'readUnauthenticatedBody'),
  };
  return { asked, clock, services: services as unknown as EdgeServices };
}

async function courseOf(chosen: Course, run: (services: EdgeServices, context: RpcContext) => unknown) {
  const { asked, clock, services } = servicesOf(chosen);
  const headers: Record<string, string> = chosen.uncharged === 0 ? { 'Content-Length': '5000' } : {};
  if (chosen.key !== 0) headers['X-API-Key'] = 'fk_a';
  const request = new Request('http://gateway/rpc', { method: 'POST', headers, body: call });
  const incoming = new FetchRequest(request, '192.0.2.1');
  const [route] = rpcRoutes;
  if (route === undefined) throw new Error('there is no JSON-RPC route');
  const context = new RpcContext(incoming, '/rpc', 'r1', contextParts({ clock }), undefined, route, {});
  const reply = (await run(services, context)) as { status: number; headers: object; body: unknown };
  return { asked, status: reply.status, headers: reply.headers, body: reply.body };
}

test('the way that is written out asks the same of everybody, in the same order, and answers the same as the table of steps', async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(course, async (chosen) => {
      const written = await courseOf(chosen, runRpc);
      expect(written).toEqual(
        await courseOf(chosen, (services, context) => runPipeline(rpcPipeline, services, context)),
      );
      statuses.add(written.status);
    }),
    { numRuns: 1_000 },
  );
  expect([...statuses].sort()).toEqual([200, 400, 401, 403, 404, 413, 429, 500, 502, 503]);
});
