/** Semantic Versioning 2.0.0: the form of versions, and the latest of several versions. */

import { compare, parse } from 'semver';

export const maxVersionLength = 128;

/** Strict: no `v`, no white space, no leading zeros; build metadata is allowed. */
export function isSemanticVersion(text: string): boolean {
  if (text.length > maxVersionLength) return false;
  const parsed = parse(text);
  return (
    parsed !== null && [parsed.version, ...(parsed.build.length > 0 ? [parsed.build.join('.')] : [])].join('+') === text
  );
}

/** The version of highest precedence; a prerelease only if there is no other version (contract/flow-apps#versions). */
export function latestVersion<T extends { readonly version: string }>(versions: readonly T[]): T | undefined {
  const releases = versions.filter(({ version }) => parse(version)?.prerelease.length === 0);
  const [first, ...others] = releases.length > 0 ? releases : versions;
  if (first === undefined) return undefined;
  return others.reduce((latest, each) => (compare(each.version, latest.version) > 0 ? each : latest), first);
}
