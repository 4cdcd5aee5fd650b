/** The function by which the registry checks whether an app is healthy. `apps/` implements it, and the composition root passes it in. */

import type { Ok } from '@flowgate/base/result';
import type { VersionRecord } from './version.ts';

/** Ok if the app's health endpoint returns 200; otherwise `detail` says why not, without addresses or secrets. Never throws. */
export type AskHealth = (
  version: VersionRecord,
) => Promise<Ok<undefined> | { readonly ok: false; readonly detail: string }>;
