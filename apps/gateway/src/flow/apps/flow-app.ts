/** The interface to a Flow App, whether it is called over HTTP or runs in this process (contract/flow-apps#downstream). */

import type { Ok } from '@flowgate/base/result';
import type { AppFailure } from '@flowgate/flow-format/app-responses/app-failure';
import { embeddedBaseUrl } from '@flowgate/flow-format/manifest/manifest';
import type { VersionRecord } from '../registry/version.ts';
import type { RenderRequest } from './render-request-wire.ts';

export type FlowApp = {
  /** The unchecked bytes of the response, at most 1 MiB. Never throws. */
  readonly render: (request: RenderRequest) => Promise<Ok<Uint8Array> | AppFailure>;
  /** Ok when `GET {baseUrl}/health` is 200. Never throws. */
  readonly health: () => Promise<Ok<undefined> | AppFailure>;
};

export type OpenFlowApp = (version: Pick<VersionRecord, 'appId' | 'version' | 'manifest' | 'sealedSecret'>) => FlowApp;

/** Opens a version in this process or at its address, by its `baseUrl`. */
export function createOpenFlowApp({ embedded, http }: { embedded: OpenFlowApp; http: OpenFlowApp }): OpenFlowApp {
  return (version) => (version.manifest.baseUrl === embeddedBaseUrl ? embedded(version) : http(version));
}
