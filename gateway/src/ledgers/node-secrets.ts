/** What of a node's configuration must never be seen outside: its address with a provider's key, and the headers it is called with. */

export type NodeAddress = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** A path segment this long is a provider's key and not a word. */
const shortestKeyLength = 16;

export function nodeSecrets({ url, headers }: NodeAddress): string[] {
  const { pathname, search, username, password } = new URL(url);
  const segments = pathname.split('/').filter((segment) => segment.length >= shortestKeyLength);
  const paths = segments.length === 0 ? [] : [pathname, ...segments];
  return [url, ...paths, search, username, password, ...Object.values(headers)];
}
