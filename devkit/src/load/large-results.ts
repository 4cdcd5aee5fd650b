/** Large results of the fixed node: JSON texts of a kind and a size, each built once. */

const log = JSON.stringify({
  address: `0x${'ab'.repeat(20)}`,
  topics: [`0x${'cd'.repeat(32)}`, `0x${'12'.repeat(32)}`],
  data: `0x${'00'.repeat(64)}`,
  blockNumber: '0x1b4',
  transactionHash: `0x${'ef'.repeat(32)}`,
  removed: false,
});

const kinds: Readonly<Record<string, (bytes: number) => string>> = {
  /** One string, like raw blocks and code. */
  hex: (bytes) => `"${'a'.repeat(bytes)}"`,
  logs: (bytes) => `[${`${log},`.repeat(Math.ceil(bytes / log.length))}${log}]`,
  /** As many values as fit. */
  ones: (bytes) => `[${'1,'.repeat(bytes / 2)}1]`,
};

/** Kinds for `params: [kind, mebibytes]`. */
export const largeResultKinds = Object.keys(kinds);

const made = new Map<string, string>();

/** JSON text; undefined when `params` request no large result. */
export function largeResult(params: unknown): string | undefined {
  const [kind, mebibytes]: unknown[] = Array.isArray(params) ? params : [];
  if (typeof kind !== 'string' || typeof mebibytes !== 'number') return undefined;
  const name = `${kind} ${mebibytes}`;
  const text = made.get(name) ?? kinds[kind]?.(mebibytes * 1_048_576);
  if (text !== undefined) made.set(name, text);
  return text;
}
