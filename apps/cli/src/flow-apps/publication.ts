/** The changes of a publication, member by member, compared with the registered app. */

import type { App, Flowgate, Version } from '@flowgate/client';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import type { FlowAppManifest } from './manifest-file.ts';

export type Publication = {
  /** Undefined: the app is registered first. */
  readonly app: App | undefined;
  /** `published`: this version is already published without differences. `taken`: the version number belongs to a different or retired version. */
  readonly state: 'new' | 'published' | 'taken';
  /** The version to compare with, the newest active one; undefined when no version is active. */
  readonly before: Version | undefined;
  /** Lines for the terminal. */
  readonly changes: readonly string[];
  /** Members that differ, but that the registry does not change after the first registration. */
  readonly ignoredChanges: readonly string[];
};

/** Maximum number of an app's versions; all are read. */
const maxVersions = 1_000;

/** Reads only, and changes nothing. */
export async function comparePublication({ flow }: Flowgate, { app, version }: FlowAppManifest): Promise<Publication> {
  const registered = await unlessAbsent(flow.apps.get(app.appId));
  const versions: Version[] = [];
  if (registered !== undefined)
    for await (const each of flow.versions.list(app.appId)) if (versions.push(each) >= maxVersions) break;
  const same = versions.find((each) => withoutBuild(each.version) === withoutBuild(version.version));
  const before = versions.find((each) => each.version === registered?.latestVersion);
  const isSame = same !== undefined && same.status === 'active' && changesOf(same, version).length === 0;
  return {
    ...{ app: registered, before },
    state: same === undefined ? 'new' : isSame ? 'published' : 'taken',
    changes: before === undefined ? [] : changesOf(before, version),
    ignoredChanges: registered === undefined ? [] : ignoredChangesOf(registered, app),
  };
}

async function unlessAbsent(app: Promise<App>): Promise<App | undefined> {
  try {
    return await app;
  } catch (error) {
    if (error instanceof FlowgateError && error.status === 404) return undefined;
    throw error;
  }
}

function withoutBuild(version: string): string {
  return version.replace(/\+.*/, '');
}

function changesOf(before: Version, after: FlowAppManifest['version']): readonly string[] {
  const ids = (steps: readonly { readonly stepId: string }[]) => steps.map(({ stepId }) => stepId);
  const startSteps = after.startSteps ?? ids(after.steps).slice(0, 1);
  const queries = (version: Pick<FlowAppManifest['version'], 'queries'>) =>
    (version.queries ?? []).map(({ queryId, path }) => `${queryId} ${path}`);
  const types = (version: Pick<FlowAppManifest['version'], 'events'>) => (version.events ?? []).map(({ type }) => type);
  return [
    ...(before.baseUrl === after.baseUrl.replace(/\/$/, '') ? [] : [`~ baseUrl ${before.baseUrl} → ${after.baseUrl}`]),
    ...setChanges('step', ids(before.steps), ids(after.steps)),
    ...(before.startSteps.join() === startSteps.join()
      ? []
      : [`~ startSteps ${before.startSteps.join(', ')} → ${startSteps.join(', ')}`]),
    ...setChanges('query', queries(before), queries(after)),
    ...setChanges('event', types(before), types(after)),
  ];
}

function setChanges(what: string, before: readonly string[], after: readonly string[]): readonly string[] {
  return [
    ...before.filter((each) => !after.includes(each)).map((each) => `- ${what} ${each}`),
    ...after.filter((each) => !before.includes(each)).map((each) => `+ ${what} ${each}`),
  ];
}

function ignoredChangesOf(registered: App, wanted: FlowAppManifest['app']): readonly string[] {
  const members = [
    ['name', registered.name, wanted.name],
    ['description', registered.description ?? '', wanted.description ?? ''],
    ['visibility', registered.visibility, wanted.visibility ?? 'private'],
  ] as const;
  return members.flatMap(([name, now, then]) => (now === then ? [] : [name]));
}
