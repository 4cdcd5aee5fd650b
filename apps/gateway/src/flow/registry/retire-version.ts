/** Retires a version: nothing is started or submitted on it any more. Repeating it changes nothing (contract/flow-apps#registry). */

import type { Clock } from '@flowgate/base/clock';
import { ok, type Result, refused } from '@flowgate/base/result';
import { isSemanticVersion } from '@flowgate/flow-format/manifest/semantic-version';
import type { Actor, AuditNote } from '../../audit/audit-note.ts';
import { ownApp } from './app-access.ts';
import type { RegistryStore } from './registry-store.ts';
import { type Version, versionView } from './version-wire.ts';

export type RetireVersionParts = {
  readonly store: Pick<RegistryStore, 'findApp' | 'retire'>;
  readonly clock: Pick<Clock, 'now'>;
};

/** Throws `Unavailable`; the version may then be retired or not, and repeating is safe. */
export async function retireVersion(
  { store, clock }: RetireVersionParts,
  actor: Actor,
  appId: string,
  version: string,
): Promise<Result<Version, 'not-found' | 'not-permitted'>> {
  const app = await ownApp(store, actor.userId, appId);
  if (!app.ok) return app;
  const note: AuditNote = { actor, action: 'version.retired', target: `${appId}@${version}`, details: {} };
  const record = isSemanticVersion(version) ? await store.retire(appId, version, clock.now(), note) : undefined;
  return record === undefined ? refused('not-found', 'The app has no such version.') : ok(versionView(record));
}
