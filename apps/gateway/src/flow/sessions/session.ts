/** A session of one user with one version of an app. */

import type { StepSpec } from '@flowgate/flow-format/app-responses/step-wire';
import type { SessionStatus } from '@flowgate/flow-format/manifest/registry-members';
import type { JsonObject } from '@flowgate/json/json-object';

export type SessionRecord = {
  readonly sessionId: string;
  readonly userId: string;
  readonly appId: string;
  readonly version: string;
  readonly status: SessionStatus;
  readonly stateVersion: number;
  readonly step: StepSpec;
  /** The app's state: opaque, and never shown to the caller. */
  readonly state: JsonObject;
  readonly launchContext?: JsonObject;
  /** The sequence of the newest event. */
  readonly lastSequence: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly expiresAtMs: number;
};
