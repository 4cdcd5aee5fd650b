/** An app's id, `publisher/slug`, and the names that an app's manifest gives. */

import { identifierForm } from '../../platform/identifier.ts';

/** Lower-case letters, digits, dots and dashes, neither of the latter at an end: nothing that a path, a log line or a reader could take for something else. */
const part = '[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?';
export const appIdForm = new RegExp(`^${part}/${part}$`);

export function isAppId(text: string): boolean {
  return appIdForm.test(text);
}

/** Steps, queries and event types. */
export function isManifestName(text: string): boolean {
  return identifierForm.test(text);
}
