/** An app's id, `publisher/slug`, and the names that an app's manifest gives. */

/** Lower-case letters, digits, dots and dashes, neither of the latter at an end: nothing that a path, a log line or a reader could take for something else. */
const part = '[a-z0-9](?:[a-z0-9.-]{0,62}[a-z0-9])?';
const appId = new RegExp(`^${part}/${part}$`);

export function isAppId(text: string): boolean {
  return appId.test(text);
}

/** Steps, queries and event types. */
export function isManifestName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text);
}
