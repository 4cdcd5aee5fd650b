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

/** The members of a version that are needed to call its app for a session. */
export type VersionToRun = Pick<VersionRecord, 'appId' | 'version' | 'manifest' | 'sealedSecret' | 'status'>;

/** The number of misses from which starts are refused (contract/flow-apps#registry). */
export const unhealthyFromMisses = 3;

/** The context of a version's encrypted signing secret: the secret can be decrypted for this version only. */
export function signingSecretContext({ appId, version }: Pick<VersionRecord, 'appId' | 'version'>): string {
  return `flow-version ${appId}@${version}`;
}
