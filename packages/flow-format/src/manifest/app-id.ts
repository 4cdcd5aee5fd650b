/** The forms of an app's id, `publisher/slug`, and of the names in a manifest. */

import { identifierForm } from '@flowgate/base/identifier';

/** Lower-case letters, digits, dots and dashes, with a letter or digit at both ends: unambiguous in paths and logs. */
const part = '[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?';
export const appIdForm = new RegExp(`^${part}/${part}$`);

export function isAppId(text: string): boolean {
  return appIdForm.test(text);
}

/** The form of the names of steps, queries and event types. */
export function isManifestName(text: string): boolean {
  return identifierForm.test(text);
}
