/** The registry of Flow Apps: apps, their publishers and their versions (contract/flow-apps). */

import { ask } from './ask.ts';
import * as shapes from './generated/shapes.ts';
import { createPaged, type Paged, type PageOptions } from './paged.ts';
import type { CallOptions, Send } from './transport.ts';
import type { App, AppInput, Page, Version, VersionInput } from './wire.ts';

/** The caller's own apps and public ones. A private app of another user is 404, like an unknown one. */
export type FlowApps = Paged<App> & {
  /**
   * Registers an app. The first user to register an app under a publisher's name owns that name. 409 when the app exists, 403 when another user owns the name.
   * Never retried.
   */
  register(input: AppInput, options?: CallOptions): Promise<App>;
  get(appId: string, options?: CallOptions): Promise<App>;
};

export type FlowVersions = {
  /**
   * Publishes a version. Only this answer ever contains a generated `signingSecret`: store it at once. 409 when the version exists, 400 when the app's
   * `/health` does not answer 200. Never retried.
   */
  publish(appId: string, input: VersionInput, options?: CallOptions): Promise<Version>;
  /** All versions including retired ones, newest first. */
  list(appId: string, options?: Omit<PageOptions, 'cursor'>): AsyncIterable<Version>;
  page(appId: string, options?: PageOptions): Promise<Page<Version>>;
  get(appId: string, version: string, options?: CallOptions): Promise<Version>;
  /** Retires a version: its sessions accept no more submissions (410), and no session can be started. Repeated calls succeed. */
  retire(appId: string, version: string, options?: CallOptions): Promise<Version>;
};

const app = '/flow/registry/apps/{appId}';

export function createFlowApps(send: Send): FlowApps {
  return {
    ...createPaged(send, 'GET /flow/registry/apps', shapes.app, []),
    register: (body, options) =>
      ask(send, 'POST /flow/registry/apps', shapes.app, [], { body, repeatable: false, options }),
    get: (appId, options) => ask(send, `GET ${app}`, shapes.app, [appId], { options }),
  };
}

export function createFlowVersions(send: Send): FlowVersions {
  const versions = `${app}/versions` as const;
  const one = `${versions}/{version}` as const;
  const paged = (appId: string) => createPaged(send, `GET ${versions}`, shapes.version, [appId]);
  return {
    list: (appId, options) => paged(appId).list(options),
    page: (appId, options) => paged(appId).page(options),
    publish: (appId, body, options) =>
      ask(send, `POST ${versions}`, shapes.version, [appId], { body, repeatable: false, options }),
    get: (appId, version, options) => ask(send, `GET ${one}`, shapes.version, [appId, version], { options }),
    retire: (appId, version, options) =>
      ask(send, `POST ${one}/retire`, shapes.version, [appId, version], { body: {}, repeatable: true, options }),
  };
}
