/** The declarations of a version: its address, steps, queries, event types and link domains. */

export type QueryDeclaration = {
  readonly queryId: string;
  /** JSON pointer (RFC 6901) into the caller's app data. */
  readonly path: string;
};

/** The manifest of a version, with defaults filled in. */
export type Manifest = {
  /** Without a trailing slash. `embedded:` for an app that runs in this process. */
  readonly baseUrl: string;
  /** At least one. A start without `startStepId` begins at the first. */
  readonly startSteps: readonly string[];
  readonly stepIds: readonly string[];
  readonly queries: readonly QueryDeclaration[];
  readonly eventTypes: readonly string[];
  /** Domains to which its texts may link, in addition to the host of `baseUrl`. Absent in versions published before this member existed. */
  readonly linkDomains?: readonly string[];
};

/** The `baseUrl` of an app that runs in this process. */
export const embeddedBaseUrl = 'embedded:';

/** The domains to which the texts of a version may link, including their subdomains (contract/flow-apps#content-filter). */
export function linkDomainsOf({
  baseUrl,
  linkDomains = [],
}: Pick<Manifest, 'baseUrl' | 'linkDomains'>): readonly string[] {
  const host = URL.parse(baseUrl)?.hostname ?? '';
  return host === '' ? linkDomains : [host, ...linkDomains];
}
