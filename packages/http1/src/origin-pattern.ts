/** Web origins as browsers send them (RFC 6454, 6.2), and patterns of them: an exact one, one with any port, or all. */

/** Longer than any origin with a host name (RFC 1035, 2.3.4) and a port. */
const maxCharacters = 300;
const anyPort = ':*';

/** `*`, `https://app.example.com`, `http://localhost:5173`, `http://localhost:*`, or the origin of an app or extension such as `capacitor://localhost`. */
export function isOriginPattern(text: string): boolean {
  if (text === '*') return true;
  return text.endsWith(anyPort) ? isWebOrigin(withoutPort(text)) && !hasPort(withoutPort(text)) : isOrigin(text);
}

/** Whether an `Origin` header matches one of `patterns`; takes constant time however many there are. `null` matches only `*`. */
export function createOriginMatcher(patterns: readonly string[]): (origin: string) => boolean {
  if (patterns.includes('*')) return () => true;
  const exact = new Set(patterns.filter((pattern) => !pattern.endsWith(anyPort)));
  const hosts = new Set(patterns.filter((pattern) => pattern.endsWith(anyPort)).map(withoutPort));
  return (origin) => {
    if (origin.length > maxCharacters) return false;
    return exact.has(origin) || (hosts.size > 0 && isWebOrigin(origin) && hosts.has(withoutPort(origin)));
  };
}

function isOrigin(text: string): boolean {
  if (text.length > maxCharacters) return false;
  if (/^https?:/.test(text)) return isWebOrigin(text);
  return /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(text);
}

/** Any other spelling (upper case, default port, path, user) would never match an `Origin` header of a browser. */
function isWebOrigin(text: string): boolean {
  return /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;
}

function hasPort(origin: string): boolean {
  return /:(?:\d+|\*)$/.test(origin);
}

function withoutPort(origin: string): string {
  return hasPort(origin) ? origin.slice(0, origin.lastIndexOf(':')) : origin;
}
