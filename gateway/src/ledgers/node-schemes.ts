/** The schemes that a node's URL may have: each is a way to reach a node, which `open-networks` opens. */

export const nodeSchemes = ['http:', 'https:'] as const;

export type NodeScheme = (typeof nodeSchemes)[number];

/** Undefined for a text that is no URL, and for a scheme that no transport serves. */
export function nodeSchemeOf(url: string): NodeScheme | undefined {
  const protocol = URL.parse(url)?.protocol;
  return nodeSchemes.find((scheme) => scheme === protocol);
}
