/** The one interface to a Flow App, whether it answers over HTTP or runs in this process (contract/flow-apps#downstream). */

import type { RenderRequest } from '@flowgate/client/flow-wire';
import type { Ok } from '../../platform/result.ts';
import { embeddedBaseUrl, type VersionRecord } from '../registry/version.ts';

/** `detail` is for the caller: what went wrong, without addresses or secrets. `retryable` as contract/flow-apps#downstream have it. */
export type AppFailure = { readonly ok: false; readonly detail: string; readonly retryable: boolean };

export type FlowApp = {
  /** The bytes of the answer, at most 1 MiB, and nothing read of them. Never throws. */
  readonly render: (request: RenderRequest) => Promise<Ok<Uint8Array> | AppFailure>;
  /** Ok when `GET {baseUrl}/health` is 200. Never throws. */
  readonly health: () => Promise<Ok<undefined> | AppFailure>;
};

export type OpenFlowApp = (version: Pick<VersionRecord, 'appId' | 'version' | 'manifest' | 'sealedSecret'>) => FlowApp;

/** Opens a version where it is: in this process, or behind its address. */
export function createOpenFlowApp({ embedded, http }: { embedded: OpenFlowApp; http: OpenFlowApp }): OpenFlowApp {
  return (version) => (version.manifest.baseUrl === embeddedBaseUrl ? embedded(version) : http(version));
}
