import { describe, expect, test } from 'bun:test';
import { anyRequest, contextDeps } from '../../../test/fixtures/context-deps.ts';
import { RequestContext } from '../contexts/request-context.ts';
import { agentPipeline, publicPipeline, routePipeline, rpcPipeline } from './pipelines.ts';

const namesOf = ({ steps }: { readonly steps: readonly { readonly name: string }[] }) => steps.map(({ name }) => name);
const rpc = namesOf(rpcPipeline);
const routes = namesOf(routePipeline);
const agents = namesOf(agentPipeline);

/** Expects that every step is present and precedes the next. */
function expectOrder(steps: readonly string[], ...order: readonly string[]): void {
  expect(steps.filter((name) => order.includes(name))).toEqual([...order]);
}

describe.each([
  ['JSON-RPC', rpc],
  ['REST and Flow', routes],
  ['agents', agents],
])('on %s', (_surface, steps) => {
  test('a draining process checks only whether it accepts requests', () => {
    expect(steps[0]).toBe('accept');
  });

  test('the caller is authenticated before the body is read and the request is charged', () => {
    const extract = steps.find((name) => name.startsWith('extract')) ?? '';
    const charge = steps.find((name) => name.startsWith('charge')) ?? '';
    expectOrder(steps, extract, 'authenticate', 'readBody');
    expectOrder(steps, extract, 'authenticate', charge);
  });
});

test('a batch is decoded before it is charged, because it costs as much as its messages (contract/limits#what-counts)', () => {
  expectOrder(rpc, 'refuseUnreadBatch', 'readBody', 'decodeMessages', 'charge');
});

test('the credential is verified again after the body was read and before it is decoded', () => {
  expect(rpc.indexOf('verifyAgain')).toBe(rpc.indexOf('readBody') + 1);
});

test('an unknown node or network is refused before the body is read', () => {
  expectOrder(rpc, 'findTarget', 'readBody');
});

test('a route is charged before authorization and before its body is read (contract/limits#what-counts)', () => {
  expectOrder(routes, 'charge', 'authorize', 'readBody', 'decodeJson');
});

test('an unknown origin is refused before the credential is verified', () => {
  expectOrder(agents, 'checkOrigin', 'authenticate');
});

test('whether a message calls a tool is known before it is charged (contract/limits#what-counts)', () => {
  expectOrder(agents, 'refuseUnread', 'readBody', 'decodeMessage', 'chargeUnlessTool');
});

test('the public pipeline has no steps', () => {
  expect(namesOf(publicPipeline)).toEqual([]);
});

test('reading the caller of an unauthenticated context throws', () => {
  const context = new RequestContext(anyRequest(), '/', 'r1', contextDeps());
  expect(() => context.caller).toThrow('the caller is not authenticated');
  context.setCaller({ userId: 'alice', via: 'token', roles: [] });
  expect(context.caller.userId).toBe('alice');
  context.setCaller(undefined);
  expect(() => context.caller).toThrow('the caller is not authenticated');
});
