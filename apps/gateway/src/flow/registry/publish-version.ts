/** Publishes a version of an app after its health endpoint has answered (contract/flow-apps#registry). */

import type { RandomBytes } from '@flowgate/base/random';
import { ok, type Result, refused } from '@flowgate/base/result';
import { refusedForOne } from '@flowgate/body-schema/body-problems';
import type { ContentFilter } from '@flowgate/content-filter/content-filter';
import { linkDomainsOf, type Manifest } from '@flowgate/flow-format/manifest/manifest';
import { parseVersionInput } from '@flowgate/flow-format/manifest/version-input';
import type { EncryptionAtRest } from '@flowgate/sql/encryption-at-rest';
import type { Actor, AuditNote } from '../../audit/audit-note.ts';
import { ownApp } from './app-access.ts';
import type { AskHealth } from './app-health.ts';
import type { RegistryStore } from './registry-store.ts';
import { signingSecretContext, type VersionRecord } from './version.ts';
import { type Version, versionView } from './version-wire.ts';

export type PublishVersionDeps = {
  readonly store: Pick<RegistryStore, 'findApp' | 'findVersion' | 'insertVersion'>;
  readonly askHealth: AskHealth;
  readonly contentFilter: ContentFilter;
  readonly encryption: Pick<EncryptionAtRest, 'seal'>;
  readonly randomBytes: RandomBytes;
  /** Wall-clock time that never repeats. */
  readonly creationTime: () => number;
};

/** Maximum number of active versions over all apps of one user: each is probed twice a minute, at an address that its publisher chooses. */
export const activeVersionLimit = 200;
/** Maximum number of versions that one app can ever have, because retired versions remain as history. */
export const versionLimit = 1_000;

/**
 * The response contains the signing secret only if the gateway generated it. The app's health is checked before anything is stored. Throws `Unavailable`; the version may then be
 * published or not.
 */
export async function publishVersion(
  deps: PublishVersionDeps,
  actor: Actor,
  appId: string,
  body: unknown,
): Promise<Result<Version, 'bad-request' | 'not-permitted' | 'not-found' | 'conflict'>> {
  const app = await ownApp(deps.store, actor.userId, appId);
  if (!app.ok) return app;
  const input = parseVersionInput(body);
  if (!input.ok) return input;
  const { version, manifest } = input.value;
  const { denial: denied } = deps.contentFilter({ step: { queries: manifest.queries } }, linkDomainsOf(manifest));
  if (denied !== undefined)
    return refusedForOne(`queries: content-filter rule ${denied.ruleId} rejects the text of a path`);
  const named = deniedName(deps.contentFilter, version, manifest);
  if (named !== undefined) return refusedForOne(named);
  // Avoids a call of the app; the insertion below decides.
  if ((await deps.store.findVersion(appId, withoutBuild(version))) !== undefined) return alreadyThere();

  const signingSecret = input.value.signingSecret ?? `whsec_${deps.randomBytes(32).toString('base64')}`;
  const record: VersionRecord = {
    appId,
    version,
    manifest,
    sealedSecret: deps.encryption.seal(signingSecret, signingSecretContext({ appId, version })),
    status: 'active',
    createdAtMs: deps.creationTime(),
    healthMisses: 0,
  };
  const health = await deps.askHealth(record);
  if (!health.ok) return refusedForOne(`baseUrl must return status 200 to GET /health: ${health.detail}`);
  const limit = { ownerId: actor.userId, active: activeVersionLimit, ofApp: versionLimit };
  const steps = manifest.stepIds.length;
  const note: AuditNote = { actor, action: 'version.published', target: `${appId}@${version}`, details: { steps } };
  const outcome = await deps.store.insertVersion(record, note, limit);
  if (outcome === 'exists') return alreadyThere();
  if (outcome === 'app-full')
    return refused('conflict', `This app already has ${versionLimit} versions, including retired ones.`);
  if (outcome === 'full')
    return refused('conflict', `Your apps already have ${activeVersionLimit} active versions: retire one first.`);
  return ok(versionView(record, input.value.signingSecret === undefined ? signingSecret : undefined));
}

/** Agents read a version and the names in its manifest, which are long enough for a sentence. */
function deniedName(contentFilter: ContentFilter, version: string, manifest: Manifest): string | undefined {
  const names = {
    version: [version],
    steps: manifest.stepIds,
    queries: manifest.queries.map(({ queryId }) => queryId),
    events: manifest.eventTypes,
    linkDomains: manifest.linkDomains ?? [],
  };
  for (const [member, texts] of Object.entries(names)) {
    const { denial } = contentFilter({ step: texts });
    if (denial !== undefined) return `${member}: content-filter rule ${denial.ruleId} rejects this text`;
  }
  return undefined;
}

function alreadyThere() {
  return refused(
    'conflict',
    'This version is already published: versions that differ only in build metadata are the same.',
  );
}

function withoutBuild(version: string): string {
  return version.replace(/\+.*/, '');
}
