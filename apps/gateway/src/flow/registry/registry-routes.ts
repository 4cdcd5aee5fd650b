/** The routes of the registry (contract/flow-apps#registry). */

import type { Clock } from '@flowgate/base/clock';
import { type Page, pageOf, parsePage } from '@flowgate/base/page';
import { ok, type Result, refused } from '@flowgate/base/result';
import { appInput } from '@flowgate/flow-format/manifest/app-input';
import { isSemanticVersion } from '@flowgate/flow-format/manifest/semantic-version';
import { versionInput } from '@flowgate/flow-format/manifest/version-input';
import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { pageQuery } from '../../api/page-query.ts';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute, RouteAnswer } from '../../api/route.ts';
import { type Actor, type AuditNote, actorOf } from '../../audit/audit-note.ts';
import { type AppDeps, ownApp, visibleApp } from './app-access.ts';
import { app, appPage } from './app-wire.ts';
import { findApp, listApps } from './find-apps.ts';
import { type PublishVersionDeps, publishVersion } from './publish-version.ts';
import { type RegisterAppDeps, registerApp } from './register-app.ts';
import { appPath, versionPath } from './registry-paths.ts';
import type { RegistryStore } from './registry-store.ts';
import { type Version, versionBody, versionPage, versionView } from './version-wire.ts';

export type RegistryDeps = RegisterAppDeps &
  PublishVersionDeps &
  RetireVersionDeps & { readonly store: RegistryStore; readonly firewall: Firewall };

const tag = 'Flow registry';
const appsPath = '/flow/registry/apps';
const oneAppPath = `${appsPath}/{appId/2}`;
const versionsPath = `${oneAppPath}/versions`;

export function registryRoutes(deps: RegistryDeps): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path: appsPath,
      accessLevel: 'caller',
      doc: {
        summary: 'Register an app',
        description:
          "The publisher's name, the part of `appId` before the slash, belongs to the first user who registers an app under it. A private app is visible to its owner, and to users with whom the owner shares it by a policy.",
        tag,
        body: appInput,
        responses: [{ status: 201, description: 'Registered.', schema: app }],
        refusals: ['bad-request', 'not-permitted', 'conflict'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const made = await registerApp(deps, actorOf(request), request.body);
        if (!made.ok) return made;
        return { status: 201, body: made.value, headers: { Location: `${appsPath}/${made.value.appId}` } };
      },
    },
    {
      method: 'GET',
      path: appsPath,
      accessLevel: 'caller',
      doc: {
        summary: 'List apps',
        description:
          "Lists public apps, the caller's own, and private apps that are shared with the caller, newest first.",
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page of apps.', schema: appPage }],
        refusals: ['bad-request'],
      },
      handle: async ({ caller, query }) => okReply(await listApps(appsOf(deps), caller, query)),
    },
    {
      method: 'GET',
      path: oneAppPath,
      accessLevel: 'caller',
      doc: {
        summary: 'Get an app',
        description:
          "`latestVersion` is the version that a start without `version` uses. Another user's private app returns 404, like an absent app.",
        tag,
        path: appPath,
        responses: [{ status: 200, description: 'The app.', schema: app }],
        refusals: ['not-found'],
      },
      handle: async ({ caller, params }) => okReply(await findApp(appsOf(deps), caller, params['appId'] ?? '')),
    },
    ...versionRoutes(deps),
  ];
}

function versionRoutes(deps: RegistryDeps): readonly CallerRoute[] {
  return [
    {
      method: 'POST',
      path: versionsPath,
      accessLevel: 'caller',
      doc: {
        summary: 'Publish a version',
        description:
          "Publishes a version; only the app's owner may do this. `GET {baseUrl}/health` must return 200 before the version is stored. If `signingSecret` is absent, the gateway generates it, and only this response contains it. Versions that differ only in build metadata are the same.",
        tag,
        path: appPath,
        body: versionInput,
        responses: [{ status: 201, description: 'Published.', schema: versionBody, headers: ['Cache-Control'] }],
        refusals: ['bad-request', 'not-permitted', 'not-found', 'conflict'],
      },
      handle: async (request): Promise<RouteAnswer> => {
        const { params, body } = request;
        const version = await publishVersion(deps, actorOf(request), params['appId'] ?? '', body);
        if (!version.ok) return version;
        const { appId, version: name, signingSecret } = version.value;
        return {
          status: 201,
          body: version.value,
          headers: {
            Location: `${appsPath}/${appId}/versions/${encodeURIComponent(name)}`,
            ...(signingSecret === undefined ? {} : { 'Cache-Control': 'no-store' }),
          },
        };
      },
    },
    {
      method: 'GET',
      path: versionsPath,
      accessLevel: 'caller',
      doc: {
        summary: 'List the versions of an app',
        description: "Lists the app's versions, newest first, including retired ones.",
        tag,
        path: appPath,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page of versions.', schema: versionPage }],
        refusals: ['bad-request', 'not-found'],
      },
      handle: async ({ caller, params, query }) =>
        okReply(await listVersions(appsOf(deps), caller, params['appId'] ?? '', query)),
    },
    {
      method: 'GET',
      path: `${versionsPath}/{version}`,
      accessLevel: 'caller',
      doc: {
        summary: 'Get a version',
        description: 'Gets a version, without its signing secret.',
        tag,
        path: versionPath,
        responses: [{ status: 200, description: 'The version.', schema: versionBody }],
        refusals: ['not-found'],
      },
      handle: async ({ caller, params }) =>
        okReply(await findVersion(appsOf(deps), caller, params['appId'] ?? '', params['version'] ?? '')),
    },
    {
      method: 'POST',
      path: `${versionsPath}/{version}/retire`,
      accessLevel: 'caller',
      doc: {
        summary: 'Retire a version',
        description:
          "Retires a version; only the app's owner may do this. Starts and submissions with it then return 410. Idempotent: retiring a retired version returns the same response.",
        tag,
        path: versionPath,
        responses: [{ status: 200, description: 'Retired.', schema: versionBody }],
        refusals: ['not-permitted', 'not-found'],
      },
      handle: async (request) => {
        const { appId = '', version = '' } = request.params;
        return okReply(await retireVersion(deps, actorOf(request), appId, version));
      },
    },
  ];
}

function appsOf({ store, firewall }: RegistryDeps) {
  return { registry: store, firewall };
}

type RetireVersionDeps = {
  readonly store: Pick<RegistryStore, 'findApp' | 'retire'>;
  readonly clock: Pick<Clock, 'now'>;
};

/**
 * Retires a version: further starts and submissions are refused. Repeating it changes nothing (contract/flow-apps#registry). Throws `Unavailable`; the version may then be
 * retired or not, and repeating is safe.
 */
export async function retireVersion(
  { store, clock }: RetireVersionDeps,
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

/** Finds and lists the versions of an app that a caller may see, retired ones included (contract/flow-apps#registry). Throws `Unavailable` if the storage is unavailable. */
export async function findVersion(
  deps: AppDeps & { readonly registry: Pick<RegistryStore, 'findVersion'> },
  caller: Caller,
  appId: string,
  version: string,
): Promise<Result<Version, 'not-found'>> {
  const app = await visibleApp(deps, caller, appId);
  if (!app.ok) return app;
  const record = isSemanticVersion(version) ? await deps.registry.findVersion(appId, version) : undefined;
  return record === undefined ? refused('not-found', 'The app has no such version.') : ok(versionView(record));
}

/** Newest first. Paged by `?limit=` and `?cursor=` (contract/conventions#lists). Throws `Unavailable` if the storage is unavailable. */
async function listVersions(
  deps: AppDeps & { readonly registry: Pick<RegistryStore, 'listVersions'> },
  caller: Caller,
  appId: string,
  query: URLSearchParams,
): Promise<Result<Page<Version>, 'bad-request' | 'not-found'>> {
  const page = parsePage(query, { defaultLimit: 20, isId: isSemanticVersion });
  if (!page.ok) return page;
  const app = await visibleApp(deps, caller, appId);
  if (!app.ok) return app;
  const { records, next } = await deps.registry.listVersions(appId, page.value);
  const data = records.map((record) => versionView(record));
  return ok(pageOf(data, next));
}
