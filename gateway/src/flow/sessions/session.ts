/** A session of one user with one version of an app. */

import type { JsonMembers, Session, SessionStatus, StepSpec } from '@flowgate/client/flow-wire';
import { isoTime } from '../../platform/iso-time.ts';

export type SessionRecord = {
  readonly sessionId: string;
  readonly userId: string;
  readonly appId: string;
  readonly version: string;
  readonly status: SessionStatus;
  readonly stateVersion: number;
  readonly step: StepSpec;
  /** The app's state: opaque, and never shown to the caller. */
  readonly state: JsonMembers;
  readonly launchContext?: JsonMembers;
  /** The sequence of the newest event. */
  readonly lastSequence: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
};

export function sessionView(session: SessionRecord): Session {
  return {
    sessionId: session.sessionId,
    appId: session.appId,
    version: session.version,
    status: session.status,
    stateVersion: session.stateVersion,
    currentStep: session.step,
    createdAt: isoTime(session.createdAtMs),
    updatedAt: isoTime(session.updatedAtMs),
    expiresAt: isoTime(session.expiresAtMs),
  };
}
