/** A published version of a Flow App: where it answers, and what it has declared. */

import type { QueryDeclaration } from '@flowgate/client/flow-wire';

/** What the publisher declared, with defaults filled in. */
export type Manifest = {
  /** Without a trailing slash. `embedded:` for an app that runs in this process. */
  readonly baseUrl: string;
  /** At least one; the first is where a start without `startStepId` begins. */
  readonly startSteps: readonly string[];
  readonly stepIds: readonly string[];
  readonly queries: readonly QueryDeclaration[];
  readonly eventTypes: readonly string[];
};

export type VersionRecord = {
  readonly appId: string;
  /** Strict semver, as published. */
  readonly version: string;
  readonly manifest: Manifest;
  /** The signing secret, sealed. */
  readonly sealedSecret: string;
  readonly status: 'active' | 'retired';
  readonly createdAtMs: number;
  readonly retiredAtMs?: number;
  /** Health probes missed in a row. */
  readonly healthMisses: number;
};

/** From this many misses on, new sessions are refused (contract/flow-apps#registry). */
export const unhealthyFromMisses = 3;

/** The `baseUrl` of an app that runs in this process. */
export const embeddedBaseUrl = 'embedded:';

/** What a version's signing secret is sealed for. */
export function signingSecretContext({ appId, version }: Pick<VersionRecord, 'appId' | 'version'>): string {
  return `flow-version ${appId}@${version}`;
}
