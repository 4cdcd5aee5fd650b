/** A published version of a Flow App. */

import type { Manifest } from '@flowgate/flow-format/manifest/manifest';

export type VersionRecord = {
  readonly appId: string;
  /** Strict semver, as published. */
  readonly version: string;
  readonly manifest: Manifest;
  /** The encrypted signing secret. */
  readonly sealedSecret: string;
  readonly status: 'active' | 'retired';
  readonly createdAtMs: number;
  readonly retiredAtMs?: number;
  /** Consecutive failed health probes. */
  readonly healthMisses: number;
};

/** Of a version that its session's app is asked by. */
export type VersionToRun = Pick<VersionRecord, 'appId' | 'version' | 'manifest' | 'sealedSecret' | 'status'>;

/** From this many misses, starts are refused (contract/flow-apps#registry). */
export const unhealthyFromMisses = 3;

/** The context of a version's encrypted signing secret: it can be decrypted for this version only. */
export function signingSecretContext({ appId, version }: Pick<VersionRecord, 'appId' | 'version'>): string {
  return `flow-version ${appId}@${version}`;
}
