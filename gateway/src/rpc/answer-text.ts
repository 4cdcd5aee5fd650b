/** Builds the JSON-RPC texts that callers are answered, raw parts put in as they came. */

/** `id` and `rawResult` are JSON texts. */
export function answerResult(id: string, rawResult: string): string {
  return `${resultHead(id)}${rawResult}${resultEnd}`;
}

/** What stands before a result. */
export function resultHead(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

/** What stands behind it. */
export const resultEnd = '}';

/** `id` and `rawError` are JSON texts. */
export function answerError(id: string, rawError: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${rawError}}`;
}
