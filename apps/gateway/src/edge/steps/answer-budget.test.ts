/** While unread answers use up a user's budget, no request is begun whose answer must be sent: no step of a Flow App, no tool (contract/bounds#waiting). */

import { expect, test } from 'bun:test';
import { systemClock } from '@flowgate/base/clock';
import { ByteAllowance } from '@flowgate/bytes/byte-allowance';
import { ByteBudget } from '@flowgate/bytes/byte-budget';
import { TextContent } from '@flowgate/bytes/byte-content';
import { contextDeps } from '../../../test/fixtures/context-deps.ts';
import type { CallerRoute } from '../../api/route.ts';
import { AgentContext } from '../contexts/agent-context.ts';
import { FetchRequest } from '../contexts/fetch-request.ts';
import { createLargeAnswers } from '../contexts/large-answers.ts';
import { noAnswerBudget } from '../contexts/request-context.ts';
import { RouteContext } from '../contexts/route-context.ts';
import { type AgentServices, chargeUnlessTool } from './answer-agent.ts';
import { handleRoute } from './handle-route.ts';

const shareBytes = 100_000;
const refusal = expect.objectContaining({ reason: 'unavailable', detail: noAnswerBudget });

/** An answer that waits until `fetched` uses up Alice's share. */
function room() {
  const largeAnswers = createLargeAnswers(new ByteBudget({ totalBytes: 10 * shareBytes, ownerBytes: shareBytes }));
  const waiting = largeAnswers.overcharged('alice', new TextContent('x'.repeat(shareBytes)));
  return { contexts: contextDeps({ largeAnswers }), fetched: () => waiting.release() };
}

function requestTo(path: string, method: string): FetchRequest {
  return new FetchRequest(new Request(`http://gateway${path}`, { method }), '192.0.2.1');
}

function countedRoute(method: 'GET' | 'POST', path: string) {
  const counted = { runs: 0 };
  const route: CallerRoute = {
    ...{ method, path, accessLevel: 'caller' },
    doc: { summary: '', description: '', tag: '', responses: [], refusals: [] },
    handle() {
      counted.runs += 1;
      return { status: 200, body: {} };
    },
  };
  return { route, counted };
}

async function runs(contexts: ReturnType<typeof contextDeps>, method: 'GET' | 'POST', path: string, userId: string) {
  const { route, counted } = countedRoute(method, path);
  const context = new RouteContext(requestTo(path, method), path, 'r1', contexts, undefined, route, {});
  context.setCaller({ userId, via: 'token', roles: [] });
  const answer = await handleRoute({}, context);
  return { answer, runs: counted.runs };
}

test.each(['/flow/sessions', '/flow/sessions/ses_1/steps/count'])(
  'POST %s is 503 before its route runs',
  async (path) => {
    const { contexts, fetched } = room();
    expect(await runs(contexts, 'POST', path, 'alice')).toEqual({ answer: refusal, runs: 0 });
    expect((await runs(contexts, 'POST', path, 'bob')).runs).toBe(1);
    // This route's request can be repeated.
    expect((await runs(contexts, 'GET', path, 'alice')).runs).toBe(1);
    fetched();
    expect((await runs(contexts, 'POST', path, 'alice')).runs).toBe(1);
  },
);

test('a tool is not called, and its message is charged', async () => {
  const { contexts, fetched } = room();
  let charges = 0;
  const admission = { admitted: true, limit: 600, remaining: 599, resetAtMs: 0, retryAfterMs: 0 };
  const unused = () => {
    throw new Error('no subrequest is expected');
  };
  const services: AgentServices = {
    handler: { toolIn: () => 'rpc_call', answer: unused },
    unchargedDecoding: new ByteAllowance({ bytesPerMinute: 1, maxOwners: 1, clock: systemClock }),
    limiter: {
      admit() {
        charges += 1;
        return admission;
      },
      userLimit: () => admission.limit,
      peek: () => admission,
    },
    subrequests: { openSubrequest: unused, answer: unused },
    failed: unused,
  };
  const outcome = (userId: string) => {
    const context = new AgentContext(requestTo('/mcp', 'POST'), '/mcp', 'r1', contexts, undefined);
    context.setCaller({ userId, via: 'token', roles: [] });
    return chargeUnlessTool(services, context);
  };
  expect(await outcome('alice')).toEqual(refusal);
  expect(charges).toBe(1);
  // The tool's subrequests are charged.
  expect(await outcome('bob')).toBeUndefined();
  fetched();
  expect(await outcome('alice')).toBeUndefined();
  expect(charges).toBe(1);
});
