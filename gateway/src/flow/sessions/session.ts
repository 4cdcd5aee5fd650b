/** A session of one user with one version of an app. */

import type { JsonMembers, SessionStatus, StepSpec } from '@flowgate/client/flow-wire';

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
