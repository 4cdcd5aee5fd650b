/** Registers an app; the first user to register one under a publisher's name owns that name (contract/flow-apps#registry). */

import type { RandomBytes } from '@flowgate/base/random';
import { ok, type Refused, type Result, refused } from '@flowgate/base/result';
import { type BodyProblem, refusedFor } from '@flowgate/body-schema/body-problems';
import type { ContentFilter } from '@flowgate/content-filter/content-filter';
import { parseAppInput } from '@flowgate/flow-format/manifest/app-input';
import type { Actor, AuditNote } from '../../audit/audit-note.ts';
import type { ClassifyTexts } from '../classifier/classify-texts.ts';
import { type App, appView } from './app-wire.ts';
import type { RegistryStore } from './registry-store.ts';

export type RegisterAppDeps = {
  readonly store: Pick<RegistryStore, 'insertApp'>;
  readonly randomBytes: RandomBytes;
  readonly contentFilter: ContentFilter;
  /** Absent without a classifier. */
  readonly classify?: ClassifyTexts | undefined;
  /** Wall-clock time that never repeats. */
  readonly creationTime: () => number;
};

/** Maximum number of apps of one user. */
export const appLimit = 100;

/** Throws `Unavailable`; the app may then be registered or not. */
export async function registerApp(
  deps: RegisterAppDeps,
  actor: Actor,
  body: unknown,
): Promise<Result<App, 'bad-request' | 'not-permitted' | 'conflict' | 'unavailable'>> {
  const input = parseAppInput(body);
  if (!input.ok) return input;
  const denied = denials(deps.contentFilter, input.value);
  if (denied.length > 0) return refusedFor(denied);
  const unclassified = await classifierRefusal(deps.classify, actor.userId, input.value);
  if (unclassified !== undefined) return unclassified;
  const app = {
    ...input.value,
    ownerId: actor.userId,
    subjectSalt: deps.randomBytes(32).toString('base64url'),
    createdAtMs: deps.creationTime(),
  };
  const { appId, name, visibility } = app;
  const note: AuditNote = { actor, action: 'app.registered', target: appId, details: { name, visibility } };
  switch (await deps.store.insertApp(app, note, appLimit)) {
    case 'inserted':
      return ok(appView(app, undefined));
    case 'exists':
      return refused('conflict', 'An app with this appId is already registered.');
    case 'full':
      return refused('conflict', `You already have ${appLimit} apps.`);
    case 'foreign-publisher':
      return refused('not-permitted', "The publisher's name, the first part of appId, belongs to another user.");
  }
}

/** People and agents read these texts in lists, so the rules for rendered texts apply to them too. A new app has not declared link domains; its id may be the domain of its publisher. */
function denials(
  contentFilter: ContentFilter,
  { appId, name, description }: { readonly appId: string; readonly name: string; readonly description?: string },
): readonly BodyProblem[] {
  return Object.entries({ appId, name, description }).flatMap(([member, text]) => {
    const { denial: found } = contentFilter({ step: text }, member === 'appId' ? undefined : []);
    return found === undefined ? [] : { message: `${member}: content-filter rule ${found.ruleId} rejects this text` };
  });
}

async function classifierRefusal(
  classify: ClassifyTexts | undefined,
  userId: string,
  { appId, name, description }: { readonly appId: string; readonly name: string; readonly description?: string },
): Promise<Refused<'bad-request' | 'unavailable'> | undefined> {
  const found = await classify?.({ appId, userId }, { name, description });
  if (found === undefined || found.kind === 'allowed') return undefined;
  if (found.kind === 'refused')
    return refusedFor([
      { message: `${found.pointer.slice(1)}: content-filter rule ${found.ruleId} rejects this text` },
    ]);
  return refused('unavailable', 'The texts could not be classified; try again later.');
}
