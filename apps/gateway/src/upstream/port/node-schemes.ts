/** The schemes that a node's URL may have; `node-opener` has a transport for each. */

export const nodeSchemes = ['http:', 'https:', 'ws:', 'wss:'] as const;

export type NodeScheme = (typeof nodeSchemes)[number];

/** Undefined if the text is not a URL, or no transport supports the scheme. */
export function nodeSchemeOf(url: string): NodeScheme | undefined {
  const protocol = URL.parse(url)?.protocol;
  return nodeSchemes.find((scheme) => scheme === protocol);
}

/** Whether calls to the URL use a WebSocket, which also supports subscriptions. */
export function isSocketUrl(url: string): boolean {
  const scheme = nodeSchemeOf(url);
  return scheme === 'ws:' || scheme === 'wss:';
}
