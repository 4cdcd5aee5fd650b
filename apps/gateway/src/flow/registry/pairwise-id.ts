/** The id of a user for an app. It is stable and differs for each app, so that two apps cannot find out that they serve the same person (contract/flow-apps#users). */

import { createHmac } from 'node:crypto';
import type { AppRecord } from './app.ts';

/** `usr_` and HMAC-SHA-256 of the user's id under the app's salt, base64url. */
export function pairwiseId(app: Pick<AppRecord, 'subjectSalt'>, userId: string): string {
  return `usr_${createHmac('sha256', app.subjectSalt).update(userId).digest('base64url')}`;
}
