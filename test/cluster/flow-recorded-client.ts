/** A client of Flow sessions that records each of its submissions, however it ended. */

import type { FlowEvent, FlowEventPage, Session, Subscription } from '@flowgate/client/flow-wire';
import { isJsonObject } from '@flowgate/json/json-object';
import type { FakeIssuer } from '../../apps/gateway/test/fixtures/issuer.ts';
import type { FlowRecorder, Problem, Submission } from './flow-history.ts';
import { outcomeOf, type Target } from './recorded-client.ts';
import { until } from './until.ts';

export type Step = {
  readonly userId: string;
  readonly sessionId: string;
  readonly stateVersion: number;
  /** The app records it, too. */
  readonly idempotencyKey: string;
  readonly actionId?: 'apply' | 'finish';
};

export type FlowRecordedClient = {
  readonly headersOf: (userId: string) => Readonly<Record<string, string>>;
  readonly submit: (target: Target, step: Step) => Promise<Submission>;
  /** Repeats the submission at the next gateway while the response is retryable, as clients do. */
  readonly submitPatiently: (targets: readonly Target[], step: Step) => Promise<Submission>;
  /** The following requests are not under test: they are retried until they succeed. */
  readonly start: (targets: readonly Target[], userId: string, more?: object) => Promise<Session>;
  readonly subscribe: (target: Target, userId: string, eventType: string, targetUrl: string) => Promise<Subscription>;
  readonly look: (target: Target, userId: string, sessionId: string) => Promise<Session>;
  readonly total: (target: Target, userId: string) => Promise<unknown>;
  /** Adds every session of the user, with its events, to the history. */
  readonly audit: (targets: readonly Target[], userId: string) => Promise<void>;
};

export const appId = 'acme/marking';
const patienceMs = 15_000;
const retryMs = 100;

export function createFlowClient(recorder: FlowRecorder, issuer: FakeIssuer, phase: () => string): FlowRecordedClient {
  const headersOf = (userId: string) => ({
    Authorization: `Bearer ${issuer.token({ sub: userId })}`,
    'Content-Type': 'application/json',
  });

  const send = (target: Target, path: string, init: RequestInit) =>
    fetch(`${target.url}${path}`, { ...init, keepalive: false, signal: AbortSignal.timeout(patienceMs) });

  async function submit(target: Target, step: Step): Promise<Submission> {
    const { userId, sessionId, idempotencyKey, stateVersion, actionId = 'apply' } = step;
    const begun = { userId, sessionId, idempotencyKey, via: target.name, phase: phase(), startMs: recorder.now() };
    const ended = (more: Pick<Submission, 'outcome'> & Partial<Submission>) => {
      const entry = { ...begun, endMs: recorder.now(), ...more };
      recorder.add('submissions', entry);
      return entry;
    };
    try {
      const response = await send(target, `/flow/sessions/${sessionId}/steps/entry`, {
        method: 'POST',
        headers: { ...headersOf(userId), 'Idempotency-Key': idempotencyKey },
        body: JSON.stringify({ actionId, fieldValues: { mark: idempotencyKey }, stateVersion }),
      });
      const text = await response.text();
      return ended({ outcome: 'answered', text, ...seen(response, text) });
    } catch (error) {
      return ended({ outcome: outcomeOf(error) });
    }
  }

  async function insist<T>(targets: readonly Target[], path: string, init: RequestInit): Promise<T> {
    let turn = Math.floor(Math.random() * targets.length);
    let response: Response | undefined;
    await until(`${init.method} ${path} succeeds`, async () => {
      const target = targets[turn++ % targets.length];
      if (target === undefined) throw new Error('no one to ask');
      response = await send(target, path, init);
      return response.ok;
    }).catch(async (cause) => {
      throw new Error(`${response?.status} ${await response?.text()}`, { cause });
    });
    return (await response?.json()) as T;
  }
  const get = <T>(targets: readonly Target[], userId: string, path: string) =>
    insist<T>(targets, path, { method: 'GET', headers: headersOf(userId) });
  const post = <T>(targets: readonly Target[], userId: string, path: string, body: object) =>
    insist<T>(targets, path, { method: 'POST', headers: headersOf(userId), body: JSON.stringify(body) });

  async function eventsOf(targets: readonly Target[], userId: string, sessionId: string): Promise<FlowEvent[]> {
    const events: FlowEvent[] = [];
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const path = `/flow/sessions/${sessionId}/events?limit=100&after=${after}`;
      const page: FlowEventPage = await get(targets, userId, path);
      events.push(...page.data);
      after = page.nextCursor;
    }
    return events;
  }

  return {
    headersOf,
    submit,
    async submitPatiently(targets, step) {
      let last: Submission | undefined;
      let turn = Math.floor(Math.random() * targets.length);
      await until(`${step.idempotencyKey} has a final response`, async () => {
        const target = targets[turn++ % targets.length];
        if (target === undefined) throw new Error('no one to ask');
        last = await submit(target, step);
        if (last.status === 200 || last.problem?.retryable === false) return true;
        // Real time: the pause between retries.
        await Bun.sleep(retryMs);
        return false;
      });
      if (last === undefined) throw new Error('nothing was submitted');
      return last;
    },
    start: (targets, userId, more = {}) => post(targets, userId, '/flow/sessions', { appId, ...more }),
    subscribe: (target, userId, eventType, targetUrl) =>
      post([target], userId, `/flow/apps/${appId}/subscriptions`, { eventType, targetUrl }),
    look: (target, userId, sessionId) => get([target], userId, `/flow/sessions/${sessionId}`),
    total: async (target, userId) =>
      (await get<{ data: unknown }>([target], userId, `/flow/queries/${appId}/total`)).data,
    async audit(targets, userId) {
      for (let after: string | undefined = ''; after !== undefined; ) {
        const path: string = `/flow/sessions?limit=100${after === '' ? '' : `&cursor=${after}`}`;
        const page: { data: Session[]; nextCursor?: string } = await get(targets, userId, path);
        for (const session of page.data)
          recorder.add('audits', { session, userId, events: await eventsOf(targets, userId, session.sessionId) });
        after = page.nextCursor;
      }
    },
  };
}

function seen({ headers, status }: Response, text: string): Partial<Submission> {
  const problem = status === 200 ? undefined : problemIn(headers, text);
  return {
    status,
    isReplay: headers.get('Idempotency-Replayed') === 'true',
    retryAfter: headers.get('Retry-After'),
    ...(problem === undefined ? {} : { problem }),
  };
}

function problemIn(headers: Headers, text: string): Problem | undefined {
  if (headers.get('Content-Type')?.startsWith('application/problem+json') !== true) return undefined;
  const body: unknown = JSON.parse(text);
  if (!isJsonObject(body) || body['instance'] !== headers.get('X-Request-Id')) return undefined;
  const { type, status, retryable } = body;
  if (typeof type !== 'string' || typeof status !== 'number' || typeof retryable !== 'boolean') return undefined;
  return { type, status, retryable };
}
