/** A published version of a Flow App: its address and its manifest. */

export type QueryDeclaration = {
  readonly queryId: string;
  /** JSON pointer (RFC 6901) into the caller's app data. */
  readonly path: string;
};

/** What the publisher declared, with defaults. */
export type Manifest = {
  /** Without a trailing slash. `embedded:` for an app that runs in this process. */
  readonly baseUrl: string;
  /** At least one; the first is where a start without `startStepId` begins. */
  readonly startSteps: readonly string[];
  readonly stepIds: readonly string[];
  readonly queries: readonly QueryDeclaration[];
  readonly eventTypes: readonly string[];
  /** Domains to which its texts may lead, besides the host of `baseUrl`. Absent in versions that were published before it existed. */
  readonly linkDomains?: readonly string[];
};

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

/** The `baseUrl` of an app that runs in this process. */
export const embeddedBaseUrl = 'embedded:';

/** The domains to which the texts of a version may lead, those below them included (contract/flow-apps#content-filter). */
export function linkDomainsOf({
  baseUrl,
  linkDomains = [],
}: Pick<Manifest, 'baseUrl' | 'linkDomains'>): readonly string[] {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === '' ? linkDomains : [host, ...linkDomains];
}

/** The context of a version's encrypted signing secret: it can be decrypted for this version only. */
export function signingSecretContext({ appId, version }: Pick<VersionRecord, 'appId' | 'version'>): string {
  return `flow-version ${appId}@${version}`;
}
