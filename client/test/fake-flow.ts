/** A server in the gateway's place that answers as a test says, and records its requests. */

import type { FlowEvent, Session } from '../src/wire.ts';

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
};

export type FakeFlow = { readonly baseUrl: string; readonly asked: Asked[]; readonly stop: () => Promise<void> };

export type FakeAnswer = (asked: Asked, signal: AbortSignal) => Response | Promise<Response>;

/** The answers are given in order; the last one repeats. */
export function startFakeFlow(...answers: readonly FakeAnswer[]): FakeFlow {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const text = await request.text();
      const { pathname, search } = new URL(request.url);
      const seen = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: text === '' ? undefined : (JSON.parse(text) as unknown),
      };
      asked.push(seen);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      return answer === undefined ? new Response(null, { status: 500 }) : answer(seen, request.signal);
    },
  });
  return { baseUrl: `http://127.0.0.1:${server.port}`, asked, stop: () => server.stop(true) };
}

export function session(members: Partial<Session> = {}): Session {
  return {
    sessionId: 'ses_1',
    appId: 'acme/deploy',
    version: '1.0.0',
    status: 'active',
    stateVersion: 1,
    currentStep: { stepId: 'start', title: 'Start', fields: [], actions: [{ actionId: 'next', label: 'Next' }] },
    createdAt: '2026-11-21T10:00:00.000Z',
    updatedAt: '2026-11-21T10:00:00.000Z',
    expiresAt: '2026-11-22T10:00:00.000Z',
    ...members,
  };
}

export function event(sequence: number, type = 'step_submitted'): FlowEvent {
  const data = { sessionId: 'ses_1', appId: 'acme/deploy', version: '1.0.0', stateVersion: sequence };
  return { id: `evt_${sequence}`, sequence, type, timestamp: '2026-11-21T10:00:00.000Z', data };
}

export function problem(status: number, members: Readonly<Record<string, unknown>> = {}, headers = {}): Response {
  const body = { type: 'urn:svc:error:conflict', title: 'A title', status, detail: 'A sentence.', instance: 'req_1' };
  const all = { status, headers: { 'Content-Type': 'application/problem+json', ...headers } };
  return Response.json({ ...body, retryable: false, ...members }, all);
}

export function sse(text: string | ReadableStream<Uint8Array>): Response {
  return new Response(text, { headers: { 'Content-Type': 'text/event-stream' } });
}

export function sseText(...events: readonly FlowEvent[]): string {
  return events.map((each) => `id: ${each.sequence}\nevent: ${each.type}\ndata: ${JSON.stringify(each)}\n\n`).join('');
}
