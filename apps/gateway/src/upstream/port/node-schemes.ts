/** The schemes that a node's URL may have; `node-opener` has a transport for each. */

export const nodeSchemes = ['http:', 'https:', 'ws:', 'wss:'] as const;

export type NodeScheme = (typeof nodeSchemes)[number];

/** Undefined for a text that is not a URL, and for a scheme without a transport. */
export function nodeSchemeOf(url: string): NodeScheme | undefined {
  const protocol = URL.parse(url)?.protocol;
  return nodeSchemes.find((scheme) => scheme === protocol);
}

/** Whether calls to such a URL go over a WebSocket, on which a node also tells by itself what happens. */
export function isSocketUrl(url: string): boolean {
  const scheme = nodeSchemeOf(url);
  return scheme === 'ws:' || scheme === 'wss:';
}
