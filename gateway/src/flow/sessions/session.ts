/** A session of one user with one version of an app. */

import type { JsonObject } from '@flowgate/json/json-object';
import type { StepSpec } from '../app-responses/step-wire.ts';
import type { SessionStatus } from '../registry/registry-members.ts';

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
