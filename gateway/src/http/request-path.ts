/** The path that a request names, out of the URL that the runtime makes of it. */

/** The runtime hands over an absolute URL, or for HTTP/1.0 without Host only the path; CONNECT names no path at all. */
export function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0 || url === '') return '';
  const query = url.indexOf('?', start);
  const path = query < 0 ? url.slice(start) : url.slice(start, query);
  const fragment = path.indexOf('#');
  return fragment < 0 ? path : path.slice(0, fragment);
}
