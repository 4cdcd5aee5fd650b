/** Builds the request by which an app renders a step (contract/flow-apps#downstream). Its members are sent in the order of the wire type. */

import { createHash } from 'node:crypto';
import type { JsonObject } from '@flowgate/json/json-object';
import type { PaymentReceipt } from '../../api/problem-wire.ts';
import type { RenderRequest } from '../apps/render-request-wire.ts';
import type { AppRecord } from '../registry/app.ts';
import { pairwiseId } from '../registry/pairwise-id.ts';
import type { SessionRecord } from './session.ts';
import type { AppData } from './session-store.ts';

/** Members of every request. */
export type RenderSubject = {
  readonly requestId: string;
  readonly app: Pick<AppRecord, 'subjectSalt'>;
  /** Before the step. */
  readonly session: Pick<
    SessionRecord,
    'sessionId' | 'userId' | 'appId' | 'version' | 'stateVersion' | 'state' | 'launchContext'
  >;
  readonly appData: AppData;
};

/** `stepId`: where the session starts. `idempotencyKey` is the caller's own: the app gets a key derived from it. */
export type StartOccasion = { readonly stepId: string; readonly idempotencyKey: string | undefined };

/** `idempotencyKey` is the caller's own: the app gets a key derived from it. */
export type SubmitOccasion = {
  readonly stepId: string;
  readonly actionId: string;
  readonly fieldValues: JsonObject;
  readonly idempotencyKey: string;
  readonly paymentReceipt: PaymentReceipt | undefined;
};

/** Domain separation: other hashes of the same bytes differ. */
const domain = 'flowgate/flow/derived-idempotency-key/1';
const startDomain = 'flowgate/flow/derived-start-key/1';

/**
 * The idempotency key that an app receives instead of the caller's own. It is the same for every retry of one submission on every gateway, and different for each session, so
 * that an app can act once for each key (contract/flow-apps#downstream). It does not reveal the caller's own key. Neither input can contain a NUL, so different pairs never
 * produce the same text.
 */
export function derivedKey(sessionId: string, idempotencyKey: string): string {
  return createHash('sha256').update(`${domain}\0${sessionId}\0${idempotencyKey}`).digest('base64url');
}

/** The same for a start. It differs for each app, so that two apps cannot find out by it that they have the same user. */
export function derivedStartKey(userId: string, appId: string, idempotencyKey: string): string {
  return createHash('sha256')
    .update(`${startDomain}\0${JSON.stringify([userId, appId, idempotencyKey])}`)
    .digest('base64url');
}

export function startRequest(subject: RenderSubject, { stepId, idempotencyKey }: StartOccasion): RenderRequest {
  const { userId, appId } = subject.session;
  const derived = idempotencyKey === undefined ? undefined : derivedStartKey(userId, appId, idempotencyKey);
  return renderRequest(subject, {
    reason: 'start',
    stepId,
    ...(derived === undefined ? {} : { idempotencyKey: derived }),
  });
}

export function submitRequest(subject: RenderSubject, occasion: SubmitOccasion): RenderRequest {
  const { stepId, actionId, fieldValues, idempotencyKey, paymentReceipt } = occasion;
  const submission = {
    stepId,
    actionId,
    fieldValues,
    idempotencyKey: derivedKey(subject.session.sessionId, idempotencyKey),
    ...(paymentReceipt === undefined ? {} : { paymentReceipt }),
  };
  return renderRequest(subject, { reason: 'submit', stepId, submission });
}

type Occasion = Pick<RenderRequest, 'reason' | 'stepId' | 'idempotencyKey' | 'submission'>;

function renderRequest({ requestId, app, session, appData }: RenderSubject, occasion: Occasion): RenderRequest {
  const { sessionId, userId, appId, version, stateVersion, state, launchContext } = session;
  const { reason, stepId, idempotencyKey, submission } = occasion;
  return {
    protocolVersion: '1',
    requestId,
    reason,
    session: { sessionId, appId, version, stateVersion, userId: pairwiseId(app, userId) },
    stepId,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    ...(launchContext === undefined ? {} : { launchContext }),
    state,
    appData: appData.members,
    ...(appData.isWhole ? {} : { appDataTruncated: true }),
    ...(submission === undefined ? {} : { submission }),
  };
}
