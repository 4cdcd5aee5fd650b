/** The routes of sessions (contract/flow-apps; contract/sessions#life-cycle). */

import { isTypeId } from '@flowgate/base/ids';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { isAppId } from '@flowgate/flow-format/manifest/app-id';
import { sessionStatuses } from '@flowgate/flow-format/manifest/registry-members';
import { z } from 'zod';
import type { Caller } from '../../api/caller.ts';
import { pageQuery } from '../../api/page-query.ts';
import { emptyReply, okReply } from '../../api/reply-of.ts';
import type { CallerRoute, Reply, RouteAnswer, RouteRefusal } from '../../api/route.ts';
import { type AppDeps, appRefusal } from '../registry/app-access.ts';
import { sessionPath } from '../registry/registry-paths.ts';
import { type ExpireDeps, expireSession, isDue } from './expire-sessions.ts';
import { findSession, lookAtSession } from './find-session.ts';
import { idempotencyKey } from './idempotency-key.ts';
import type { SessionRecord } from './session.ts';
import type { SessionDeps } from './session-deps.ts';
import { withSessionLease } from './session-lease.ts';
import { noSession, sessionBusy, sessionOver } from './session-refusals.ts';
import { sessionInput, stepSubmission } from './session-requests.ts';
import type { SessionFilter } from './session-store.ts';
import { transitionOf } from './session-transition.ts';
import { type Session, session, sessionPage, sessionView, stepPath } from './session-wire.ts';
import { type Started, startSession } from './start-session.ts';
import { type Submitted, submitStep } from './submit-step.ts';

const sessionsPath = '/flow/sessions';
const oneSessionPath = `${sessionsPath}/{sessionId}`;
const tag = 'Flow sessions';

export function sessionRoutes(deps: SessionDeps): readonly CallerRoute[] {
  return [startRoute(deps), listRoute(deps), findRoute(deps), cancelRoute(deps), submitRoute(deps)];
}

function startRoute(deps: SessionDeps): CallerRoute {
  return {
    method: 'POST',
    path: sessionsPath,
    accessLevel: 'caller',
    doc: {
      summary: 'Start a session',
      description:
        "Starts a session of the app's latest active version, or of `version`, at the version's first start step, or at `startStepId`. The app renders the first step. An Idempotency-Key (1 to 256 printable ASCII characters) makes a start repeatable: every further start with the user's key returns the response of the first one, marked `Idempotency-Replayed: true`, as long as that session is stored.",
      tag,
      headers: [startHeader],
      body: sessionInput,
      responses: [{ status: 201, description: 'Started.', schema: session, headers: ['Idempotency-Replayed'] }],
      refusals: ['bad-request', 'denied', 'not-found', 'conflict', 'gone', 'bad-gateway'],
    },
    handle: async ({ caller, body, header, requestId, concerns }): Promise<RouteAnswer> => {
      const started = await startSession(deps, { caller, body, header, requestId, concerns });
      return started.ok ? storedReply(201, started) : started;
    },
  };
}

function listRoute(deps: SessionDeps): CallerRoute {
  return {
    method: 'GET',
    path: sessionsPath,
    accessLevel: 'caller',
    doc: {
      summary: 'List sessions',
      description: "Lists the caller's own sessions, newest first.",
      tag,
      query: [
        ...pageQuery(20),
        { name: 'appId', description: 'Only sessions of this app.', schema: () => z.string() },
        {
          name: 'status',
          description: 'Only sessions with this status.',
          schema: () => z.enum(sessionStatuses),
        },
      ],
      responses: [{ status: 200, description: 'A page of sessions.', schema: sessionPage }],
      refusals: ['bad-request'],
    },
    handle: async ({ caller, query }) => okReply(await listSessions(deps, caller, query)),
  };
}

function findRoute(deps: SessionDeps): CallerRoute {
  return {
    method: 'GET',
    path: oneSessionPath,
    accessLevel: 'caller',
    doc: {
      summary: 'Get a session',
      description: 'Gets the present state of a session, with its current step.',
      tag,
      path: sessionPath,
      responses: [{ status: 200, description: 'The session.', schema: session }],
      refusals: ['denied', 'not-found'],
    },
    async handle({ caller, params, concerns }) {
      const found = await findSession(deps, caller, params['sessionId'] ?? '');
      if (found.ok) concerns?.(found.value.appId);
      return okReply(found);
    },
  };
}

function cancelRoute(deps: SessionDeps): CallerRoute {
  return {
    method: 'DELETE',
    path: oneSessionPath,
    accessLevel: 'caller',
    doc: {
      summary: 'Cancel a session',
      description:
        'Cancels an active session. Idempotent: canceling a canceled session returns 204. A session that ended in another way, or in which a submission is running, returns 409.',
      tag,
      path: sessionPath,
      responses: [{ status: 204, description: 'Cancelled.' }],
      refusals: ['not-found', 'conflict'],
    },
    handle: async ({ caller, params, concerns }) =>
      emptyReply(await cancelSession(deps, caller.userId, params['sessionId'] ?? '', concerns)),
  };
}

const startHeader = {
  name: 'Idempotency-Key',
  description: 'Identifies this start: a new key for each start, the same key for its retries.',
  required: false,
  schema: idempotencyKey,
  example: 'b7d9e0f1-0001',
};

const base64 = () => z.string().meta({ contentEncoding: 'base64' });

const submissionHeaders = [
  {
    name: 'Idempotency-Key',
    description: 'Identifies this submission: a new key for each submission, the same key for its retries.',
    required: true,
    schema: idempotencyKey,
    example: 'a3f1c2d4-0001',
  },
  {
    name: 'PAYMENT-SIGNATURE',
    description: 'An x402 payment for a paid step, base64 (protocol version 2).',
    required: false,
    schema: base64,
  },
  {
    name: 'X-Payment',
    description: 'An x402 payment for a paid step, base64 (protocol version 1).',
    required: false,
    schema: base64,
  },
];

const receiptHeaders = ['X-Payment-Response', 'PAYMENT-RESPONSE'];

function submitRoute(deps: SessionDeps): CallerRoute {
  return {
    method: 'POST',
    path: `${oneSessionPath}/steps/{stepId}`,
    accessLevel: 'caller',
    doc: {
      summary: 'Submit a step',
      description:
        'Submits the current step. The header Idempotency-Key (1 to 256 printable ASCII characters) is required. The response of a successful submission is stored under its key: every further request with that key gets the same bytes, marked `Idempotency-Replayed: true`, and nothing runs. A failed submission runs again under its key. Use a new key for a new submission.',
      tag,
      path: stepPath,
      headers: submissionHeaders,
      body: stepSubmission,
      responses: [
        {
          status: 200,
          description: 'The session after the transition.',
          schema: session,
          headers: ['Idempotency-Replayed', ...receiptHeaders],
        },
      ],
      refusals: ['bad-request', 'payment-required', 'denied', 'not-found', 'conflict', 'gone', 'bad-gateway'],
      // A caller who has paid gets the receipt, regardless of the outcome of the step (contract/payments#receipt).
      refusalHeaders: {
        reasons: ['bad-request', 'conflict', 'gone', 'bad-gateway', 'unavailable'],
        names: receiptHeaders,
      },
    },
    handle: async ({ caller, params, body, header, requestId, concerns }): Promise<RouteAnswer> => {
      const submitted = await submitStep(deps, {
        caller,
        sessionId: params['sessionId'] ?? '',
        stepId: params['stepId'] ?? '',
        body,
        header,
        requestId,
        concerns,
      });
      return submitted.ok ? storedReply(200, submitted) : submitted;
    },
  };
}

/** A replay has the same bytes as the first response. */
function storedReply(status: number, { response, isReplay }: Submitted | Started): Reply {
  return {
    status,
    body: response.body,
    contentType: 'application/json',
    headers: isReplay ? { ...response.headers, 'Idempotency-Replayed': 'true' } : response.headers,
  };
}

type Cancelled = { readonly ok: true };

/**
 * Cancels a session for its user (contract/sessions#life-cycle). Repeating it changes nothing. `conflict`: the session ended in another way, or a submission is running in it.
 * Throws `Unavailable`.
 */
export async function cancelSession(
  deps: ExpireDeps,
  userId: string,
  sessionId: string,
  concerns?: (appId: string) => void,
): Promise<Cancelled | RouteRefusal> {
  const seen = await endOf(deps, userId, sessionId);
  if (seen !== 'active') return seen;
  const outcome = await withSessionLease(deps, { sessionId }, async ({ snapshot, commit }) => {
    const { session } = snapshot;
    concerns?.(session.appId);
    const events = [{ type: 'session_cancelled', data: {} }];
    const change = { status: 'cancelled', step: session.step, events } as const;
    // Without bounds: a user above the limit may always end a session.
    return (await commit(transitionOf(session, change, { ...deps, nowMs: deps.clock.now() }))) === 'committed';
  });
  if (outcome === true) return { ok: true };
  if (outcome === 'running') return sessionBusy;
  // The session has ended, or another request continued it.
  const end = await endOf(deps, userId, sessionId);
  return end === 'active' ? sessionBusy : end;
}

/** The outcome if there is nothing to cancel; `active` if there is. */
async function endOf(
  deps: ExpireDeps,
  userId: string,
  sessionId: string,
): Promise<Cancelled | RouteRefusal | (SessionRecord['status'] & 'active')> {
  const snapshot = await lookAtSession(deps, userId, sessionId);
  if (snapshot === undefined) return noSession;
  const { status } = snapshot.session;
  if (status === 'cancelled') return { ok: true };
  if (status !== 'active') return sessionOver(status);
  return snapshot.isLeased ? sessionBusy : status;
}

/** Lists a user's sessions, newest first. Sessions whose time is over are expired first. `?appId=`, `?status=`, `?limit=`, `?cursor=` (contract/conventions#lists). Throws `Unavailable`. */
async function listSessions(
  deps: ExpireDeps & AppDeps,
  caller: Caller,
  query: URLSearchParams,
): Promise<Result<Page<Session>, 'bad-request'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: (id) => isTypeId('ses', id) });
  const filter = parseFilter(query);
  if (!page.ok || !filter.ok)
    return refused('bad-request', [page, filter].flatMap((each) => (each.ok ? [] : (each.detail ?? []))).join('; '));
  const list = () => deps.store.list(caller.userId, filter.value, page.value);
  let listed = await list();
  const due = listed.records.filter((session) => isDue(session, deps.clock.now()));
  const expired = await Promise.all(due.map(({ sessionId }) => expireSession(deps, sessionId)));
  if (expired.includes(true)) listed = await list();
  const unusable = await refusedApps(deps, caller, listed.records);
  const data = listed.records.filter(({ appId }) => !unusable.has(appId)).map(sessionView);
  return ok(pageOf(data, listed.next));
}

/** Without sessions of apps that the caller may not use; a page is then shorter. */
async function refusedApps(
  deps: AppDeps,
  caller: Caller,
  records: readonly { readonly appId: string }[],
): Promise<ReadonlySet<string>> {
  const refusedOnes = new Set<string>();
  for (const appId of new Set(records.map((each) => each.appId)))
    if ((await appRefusal(deps, caller, appId)) !== undefined) refusedOnes.add(appId);
  return refusedOnes;
}

function parseFilter(query: URLSearchParams): Result<SessionFilter, 'bad-request'> {
  const [appIds, wanted] = [query.getAll('appId'), query.getAll('status')];
  const [[appId], [statusText]] = [appIds, wanted];
  const status = sessionStatuses.find((each) => each === statusText);
  const problems: string[] = [];
  if (appIds.length > 1) problems.push('appId must be given once');
  else if (appId !== undefined && !isAppId(appId)) problems.push('appId must be publisher/slug');
  if (wanted.length > 1) problems.push('status must be given once');
  else if (statusText !== undefined && status === undefined)
    problems.push(`status must be one of ${sessionStatuses.join(', ')}`);
  if (problems.length > 0) return refused('bad-request', problems.join('; '));
  return ok({ ...(appId === undefined ? {} : { appId }), ...(status === undefined ? {} : { status }) });
}
