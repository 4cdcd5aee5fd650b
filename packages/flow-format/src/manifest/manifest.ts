/** What the publisher of a version declares: its address, steps, queries, event types and domains of links. */

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
