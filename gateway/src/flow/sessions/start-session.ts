/** Starts a session: the app's first step, and with it the session (decisions 8, Start). */

import type { RenderRequest, Session } from '@flowgate/client/flow-wire';
import { refusedForOne } from '../../access/body-problems.ts';
import type { RouteRefusal } from '../../access/route.ts';
import { refused } from '../../platform/result.ts';
import { pairwiseId } from '../registry/pairwise-id.ts';
import { resolveVersion } from '../registry/resolve-version.ts';
import { unhealthyFromMisses, type VersionRecord } from '../registry/version.ts';
import { keptForApp, render } from './render.ts';
import { sessionView } from './session.ts';
import type { SessionParts } from './session-parts.ts';
import { noRoom, tooManySessions } from './session-refusals.ts';
import { parseStartRequest, type StartRequest } from './session-requests.ts';
import type { NoRoom } from './session-store.ts';
import { changeByAnswer, type SessionBefore, transitionOf } from './session-transition.ts';

export type Started = { readonly ok: true; readonly value: Session };

/** Throws `Unavailable` when the storage is away; the session may then be there or not. */
export async function startSession(
  parts: SessionParts,
  userId: string,
  body: unknown,
  requestId: string,
): Promise<Started | RouteRefusal> {
  const parsed = parseStartRequest(body);
  if (!parsed.ok) return parsed;
  const { appId, startStepId } = parsed.value;
  const resolved = await resolveVersion(parts.registry, userId, appId, parsed.value.version);
  if (!resolved.ok) return resolved;
  const { app, version } = resolved.value;
  const [firstStep] = version.manifest.startSteps;
  const stepId = startStepId ?? firstStep ?? '';
  if (!version.manifest.startSteps.includes(stepId))
    return refusedForOne(`startStepId must be one of ${version.manifest.startSteps.join(', ')}`);
  if (version.healthMisses >= unhealthyFromMisses)
    return { ...refused('bad-gateway', 'The Flow App does not answer its health probes.'), retryable: true };

  const before = newSession(parts.newSessionId(), userId, version, parsed.value);
  const { maxActiveSessions, bounds } = parts;
  const [appData, room] = await Promise.all([
    parts.store.appData(userId, appId),
    parts.store.hasRoom(userId, { mostActive: maxActiveSessions, userBytes: bounds.userBytes }),
  ]);
  // Spares the app a question; what decides is the insertion below.
  if (room !== 'room') return noRoomToStart(room, parts);
  const request: RenderRequest = {
    protocolVersion: '1',
    requestId,
    reason: 'start',
    session: {
      sessionId: before.sessionId,
      appId,
      version: version.version,
      stateVersion: before.stateVersion,
      userId: pairwiseId(app, userId),
    },
    stepId,
    ...(before.launchContext === undefined ? {} : { launchContext: before.launchContext }),
    state: before.state,
    ...keptForApp(appData),
  };
  const rendered = await render(parts, version, request, []);
  if (!rendered.ok) return rendered;
  const change = changeByAnswer(rendered.answer, { type: 'session_created', data: {} });
  // The session's time begins when it does, not when its app was asked.
  const nowMs = parts.creationTime();
  const begun = { ...before, createdAtMs: nowMs, updatedAtMs: nowMs, expiresAtMs: nowMs + parts.sessionTtlMs };
  const transition = transitionOf(begun, change, { ...parts, nowMs });
  const outcome = await parts.store.insert(transition, { mostActive: maxActiveSessions, bounds });
  if (outcome !== 'started') return noRoomToStart(outcome, parts);
  parts.changed(before.sessionId);
  return { ok: true, value: sessionView(transition.session) };
}

function noRoomToStart(
  lack: 'full' | NoRoom,
  { maxActiveSessions, bounds }: Pick<SessionParts, 'maxActiveSessions' | 'bounds'>,
): RouteRefusal {
  return lack === 'full' ? tooManySessions(maxActiveSessions) : noRoom(lack, bounds);
}

/** As the app is told of it: stateVersion 0. */
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
