/** Starts a session: calls the app for the first step and stores the session (contract/sessions#life-cycle). */

import { refused } from '@flowgate/base/result';
import { refusedForOne, withProblems } from '@flowgate/body-schema/body-problems';
import type { Caller } from '../../api/caller.ts';
import type { RouteRefusal } from '../../api/route.ts';
import { appRefusal } from '../registry/app-access.ts';
import { resolveVersion } from '../registry/resolve-version.ts';
import { unhealthyFromMisses, type VersionRecord } from '../registry/version.ts';
import { parseOptionalIdempotencyKey } from './idempotency-key.ts';
import { render } from './render.ts';
import { startRequest } from './render-request.ts';
import type { SessionRecord } from './session.ts';
import type { SessionDeps } from './session-deps.ts';
import { noRoom, startBusy, tooManySessions } from './session-refusals.ts';
import { parseStartRequest, type StartRequest } from './session-requests.ts';
import type { NoRoom, StoredResponse } from './session-store.ts';
import { changeByResponse, type SessionBefore, transitionOf } from './session-transition.ts';
import { sessionView } from './session-wire.ts';
import { withLease } from './with-lease.ts';

export type StartCall = {
  readonly caller: Caller;
  readonly body: unknown;
  readonly header: (name: string) => string | null;
  readonly requestId: string;
  /** Called with the app as soon as it is known to exist. */
  readonly concerns?: ((appId: string) => void) | undefined;
};

export type Started = { readonly ok: true; readonly response: StoredResponse; readonly isReplay: boolean };

type Asked = Pick<StartCall, 'caller' | 'requestId' | 'concerns'> & {
  readonly userId: string;
  readonly start: StartRequest;
  readonly idempotencyKey: string | undefined;
};

/**
 * A key with a stored response gets that response, regardless of the body, as long as its session is stored. Throws `Unavailable`; the session may then exist or not, and a retry
 * with the same key returns the outcome.
 */
export async function startSession(deps: SessionDeps, call: StartCall): Promise<Started | RouteRefusal> {
  const key = parseOptionalIdempotencyKey(call.header('Idempotency-Key'));
  const parsed = parseStartRequest(call.body);
  if (!key.ok) return withProblems(key, parsed);
  if (!parsed.ok) return parsed;
  const { caller, requestId, concerns } = call;
  const asked = { concerns, caller, userId: caller.userId, requestId, start: parsed.value, idempotencyKey: key.value };
  return key.value === undefined ? begin(deps, asked) : startOnce(deps, asked, key.value);
}

/** One start at a time for each user and key. */
async function startOnce(deps: SessionDeps, asked: Asked, key: string): Promise<Started | RouteRefusal> {
  const { starts, inFlight, leaseMs, clock } = deps;
  const stored = await starts.find(asked.userId, key);
  if (stored !== undefined) return replay(deps, asked, stored);
  const inProcess = `start ${JSON.stringify([asked.userId, key])}`;
  if (inFlight.has(inProcess)) return startBusy;
  inFlight.add(inProcess);
  try {
    const askedAtMs = clock.monotonic();
    const attempt = await starts.acquire(asked.userId, key, deps.newHolder(), leaseMs);
    if (attempt.kind === 'running') return startBusy;
    const { lease, response } = attempt;
    const keyLease = {
      askedAtMs,
      renew: (ttlMs: number) => starts.renew(lease, ttlMs),
      release: () => starts.release(lease),
    };
    return await withLease(deps, keyLease, async () =>
      response === undefined ? begin(deps, asked) : replay(deps, asked, response),
    );
  } finally {
    inFlight.delete(inProcess);
  }
}

/** Returns the stored response of a start, unless the app is now denied to the caller. */
async function replay(deps: SessionDeps, { caller, start, concerns }: Asked, response: StoredResponse) {
  concerns?.(start.appId);
  return (await appRefusal(deps, caller, start.appId)) ?? replayed(response);
}

async function begin(deps: SessionDeps, asked: Asked): Promise<Started | RouteRefusal> {
  const { userId, start } = asked;
  const resolved = await resolveVersion(deps, asked.caller, start.appId, start.version);
  if (!resolved.ok) return resolved;
  const { app, version } = resolved.value;
  asked.concerns?.(start.appId);
  const { startSteps } = version.manifest;
  const stepId = start.startStepId ?? startSteps[0] ?? '';
  if (!startSteps.includes(stepId)) return refusedForOne(`startStepId must be one of ${startSteps.join(', ')}`);
  if (version.healthMisses >= unhealthyFromMisses)
    return { ...refused('bad-gateway', 'The Flow App does not answer its health probes.'), retryable: true };

  const before = newSession(deps.newSessionId(), userId, version, start);
  const { maxActiveSessions, bounds } = deps;
  const [appData, room] = await Promise.all([
    deps.store.appData(userId, start.appId),
    deps.store.hasRoom(userId, { maxActive: maxActiveSessions, userBytes: bounds.userBytes }),
  ]);
  // Avoids a call of the app; the insertion below decides.
  if (room !== 'room') return noRoomToStart(room, deps);
  const { requestId, idempotencyKey } = asked;
  const request = startRequest({ requestId, app, session: before, appData }, { stepId, idempotencyKey });
  const rendered = await render(deps, {
    userId,
    version,
    request,
    secretsNow: () => deps.secrets.of(userId, start.appId),
  });
  if (!rendered.ok) return rendered;
  const change = changeByResponse(rendered.response, { type: 'session_created', data: {} });
  // The session's time begins now, not when the app was called.
  const nowMs = deps.creationTime();
  const begun = { ...before, createdAtMs: nowMs, updatedAtMs: nowMs, expiresAtMs: nowMs + deps.sessionTtlMs };
  const transition = transitionOf(begun, change, { ...deps, nowMs });
  const response = responseOf(transition.session);
  const outcome = await deps.store.insert(
    idempotencyKey === undefined ? transition : { ...transition, response: { ...response, idempotencyKey } },
    { maxActive: maxActiveSessions, bounds },
  );
  if (outcome === 'answered') return answeredMeanwhile(deps, userId, idempotencyKey ?? '');
  if (outcome !== 'started') return noRoomToStart(outcome, deps);
  deps.changed(before.sessionId);
  return { ok: true, response, isReplay: false };
}

/** This gateway was suspended, and another one acquired the key's lease and started the session. */
async function answeredMeanwhile(
  { starts }: Pick<SessionDeps, 'starts'>,
  userId: string,
  key: string,
): Promise<Started | RouteRefusal> {
  const stored = await starts.find(userId, key);
  return stored === undefined ? startBusy : replayed(stored);
}

function responseOf(session: SessionRecord): StoredResponse {
  const headers = { Location: `/flow/sessions/${session.sessionId}` };
  return { body: JSON.stringify(sessionView(session)), headers };
}

function replayed(response: StoredResponse): Started {
  return { ok: true, response, isReplay: true };
}

function noRoomToStart(
  lack: 'full' | NoRoom,
  { maxActiveSessions, bounds }: Pick<SessionDeps, 'maxActiveSessions' | 'bounds'>,
): RouteRefusal {
  return lack === 'full' ? tooManySessions(maxActiveSessions) : noRoom(lack, bounds);
}

/** The session before its start, as the app sees it: `stateVersion` 0. */
function newSession(
  sessionId: string,
  userId: string,
  { appId, version }: VersionRecord,
  { launchContext }: StartRequest,
): SessionBefore {
  return {
    sessionId,
    userId,
    appId,
    version,
    status: 'active',
    stateVersion: 0,
    state: {},
    ...(launchContext === undefined ? {} : { launchContext }),
    lastSequence: 0,
    createdAtMs: 0,
    updatedAtMs: 0,
    expiresAtMs: 0,
  };
}
