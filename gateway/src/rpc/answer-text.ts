/** Builds the JSON-RPC texts of answers to callers; raw parts are inserted unchanged. */

/** `id` and `rawResult` are JSON texts. */
export function answerResult(id: string, rawResult: string): string {
  return `${resultHead(id)}${rawResult}${resultEnd}`;
}

/** The text before a result. */
export function resultHead(id: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":`;
}

/** The text after a result. */
export const resultEnd = '}';

/** `id` and `rawError` are JSON texts. */
export function answerError(id: string, rawError: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${rawError}}`;
}
