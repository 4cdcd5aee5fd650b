/** The registry of Flow Apps: who publishes what, in which versions (contract/flow-apps). */

import { askFor } from './ask-for.ts';
import { hasMembers } from './has-members.ts';
import { createPaged, type Paged, type PageOptions } from './paged.ts';
import { pathSegment } from './path-segment.ts';
import type { CallOptions, Send } from './transport.ts';
import type { App, AppInput, Page, Version, VersionInput } from './wire.ts';

const appsPath = '/flow/registry/apps';

/** The caller's own apps and public ones; somebody else's private app looks like an absent one: 404. */
export type FlowApps = Paged<App> & {
  /** The first to register an app under a publisher's name owns that name. 409 when the app exists, 403 when the name is another's. Never repeated. */
  register(input: AppInput, options?: CallOptions): Promise<App>;
  get(appId: string, options?: CallOptions): Promise<App>;
};

export type FlowVersions = {
  /**
   * Only this answer ever contains a generated `signingSecret`: keep it at once. 409 when the version exists, 400 when the app's `/health` does not answer 200.
   * Never repeated.
   */
  publish(appId: string, input: VersionInput, options?: CallOptions): Promise<Version>;
  /** Every version, newest first, retired ones among them. */
  list(appId: string, options?: Omit<PageOptions, 'cursor'>): AsyncIterable<Version>;
  page(appId: string, options?: PageOptions): Promise<Page<Version>>;
  get(appId: string, version: string, options?: CallOptions): Promise<Version>;
  /** Its sessions accept no more submissions (410), and none can be started. Repeating is no error. */
  retire(appId: string, version: string, options?: CallOptions): Promise<Version>;
};

export function createFlowApps(send: Send): FlowApps {
  return {
    ...createPaged(send, appsPath, isApp),
    register: async (input, options = {}) =>
      askFor(send, isApp, { method: 'POST', path: appsPath, body: input, repeatable: false, options }),
    get: async (appId, options = {}) =>
      askFor(send, isApp, { method: 'GET', path: appPath(appId), repeatable: true, options }),
  };
}

export function createFlowVersions(send: Send): FlowVersions {
  const paged = (appId: string) => createPaged(send, `${appPath(appId)}/versions`, isVersion);
  const versionPath = (appId: string, version: string) => `${appPath(appId)}/versions/${pathSegment(version)}`;
  return {
    list: (appId, options) => paged(appId).list(options),
    page: (appId, options) => paged(appId).page(options),
    async publish(appId, input, options = {}) {
      const path = `${appPath(appId)}/versions`;
      return askFor(send, isVersion, { method: 'POST', path, body: input, repeatable: false, options });
    },
    async get(appId, version, options = {}) {
      const path = versionPath(appId, version);
      return askFor(send, isVersion, { method: 'GET', path, repeatable: true, options });
    },
    async retire(appId, version, options = {}) {
      const path = `${versionPath(appId, version)}/retire`;
      return askFor(send, isVersion, { method: 'POST', path, body: {}, repeatable: true, options });
    },
  };
}

function appPath(appId: string): string {
  return `${appsPath}/${pathSegment(appId)}`;
}

function isApp(value: unknown): value is App {
  return hasMembers(
    value,
    { appId: 'string', name: 'string', visibility: 'string', createdAt: 'string' },
    { description: 'string', latestVersion: 'string' },
  );
}

function isVersion(value: unknown): value is Version {
  return hasMembers(
    value,
    {
      appId: 'string',
      version: 'string',
      baseUrl: 'string',
      startSteps: 'texts',
      steps: 'objects',
      queries: 'objects',
      events: 'objects',
      status: 'string',
      createdAt: 'string',
    },
    { signingSecret: 'string' },
  );
}
