import { describe, expect, test } from 'bun:test';
import { anyRequest, contextDeps } from '../../../test/fixtures/context-deps.ts';
import { RequestContext } from '../contexts/request-context.ts';
import { agentPipeline, publicPipeline, routePipeline, rpcPipeline } from './pipelines.ts';

const namesOf = ({ steps }: { readonly steps: readonly { readonly name: string }[] }) => steps.map(({ name }) => name);
const rpc = namesOf(rpcPipeline);
const routes = namesOf(routePipeline);
const agents = namesOf(agentPipeline);

/** Every step is present and comes before the next. */
function expectOrder(steps: readonly string[], ...order: readonly string[]): void {
  expect(steps.filter((name) => order.includes(name))).toEqual([...order]);
}

describe.each([
  ['JSON-RPC', rpc],
  ['REST and Flow', routes],
  ['agents', agents],
])('on %s', (_surface, steps) => {
  test('a process that drains looks at nothing of a request', () => {
    expect(steps[0]).toBe('accept');
  });

  test('nobody’s body is read and no one is charged before it is known who asks', () => {
    const present = steps.find((name) => name.startsWith('present')) ?? '';
    const charge = steps.find((name) => name.startsWith('charge')) ?? '';
    expectOrder(steps, present, 'identify', 'readBody');
    expectOrder(steps, present, 'identify', charge);
  });
});

test('a batch is decoded before it is charged, since it costs what it holds (contract/limits#what-counts)', () => {
  expectOrder(rpc, 'refuseUnreadBatch', 'readBody', 'decodeMessages', 'charge');
});

test('who may have lost their key while the body came is asked again before anything of it is acted on', () => {
  expect(rpc.indexOf('verifyAgain')).toBe(rpc.indexOf('readBody') + 1);
});

test('a path that leads to no node is told before the body is read', () => {
  expectOrder(rpc, 'findTarget', 'readBody');
});

test('a request to a route counts whoever may use that route, and before its body is read (contract/limits#what-counts)', () => {
  expectOrder(routes, 'charge', 'permit', 'readBody', 'decodeJson');
});

test('a page of an unknown origin learns nothing of a credential', () => {
  expectOrder(agents, 'checkOrigin', 'identify');
});

test('whether a message calls a tool is known before it is charged (contract/limits#what-counts)', () => {
  expectOrder(agents, 'refuseUnread', 'readBody', 'decodeMessage', 'chargeUnlessTool');
});

test('what is public has no steps', () => {
  expect(namesOf(publicPipeline)).toEqual([]);
});

test('a step that needs to know who asks fails where no one was identified', () => {
  const context = new RequestContext(anyRequest(), '/', 'r1', contextDeps());
  expect(() => context.caller).toThrow('no one was identified');
  context.identifyAs({ userId: 'alice', via: 'token', roles: [] });
  expect(context.caller.userId).toBe('alice');
  context.identifyAs(undefined);
  expect(() => context.caller).toThrow('no one was identified');
});
