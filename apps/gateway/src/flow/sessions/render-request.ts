/** The request by which an app renders a step, built in this one place (contract/flow-apps#downstream). Its members are in the order of the wire type, and they leave in that order. */

import type { JsonObject } from '@flowgate/json/json-object';
import type { PaymentReceipt } from '../../api/problem-wire.ts';
import type { RenderRequest } from '../apps/render-request-wire.ts';
import type { AppRecord } from '../registry/app.ts';
import { pairwiseId } from '../registry/pairwise-id.ts';
import { derivedKey, derivedStartKey } from './derived-key.ts';
import type { SessionRecord } from './session.ts';
import type { AppData } from './session-store.ts';

/** What every request has. */
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

/** `stepId`: where to start. `idempotencyKey` is the caller's own: the app gets a key that is derived from it. */
export type StartOccasion = { readonly stepId: string; readonly idempotencyKey: string | undefined };

/** `idempotencyKey` is the caller's own: the app gets a key that is derived from it. */
export type SubmitOccasion = {
  readonly stepId: string;
  readonly actionId: string;
  readonly fieldValues: JsonObject;
  readonly idempotencyKey: string;
  readonly paymentReceipt: PaymentReceipt | undefined;
};

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
