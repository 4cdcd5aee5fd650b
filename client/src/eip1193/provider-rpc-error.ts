/** The errors that a provider throws and emits (EIP-1193, Errors), with the gateway's refusal as the cause. */

import { FlowgateError } from '../flowgate-error.ts';

/** `code` is a code of EIP-1193 or of the JSON-RPC error. The error contains no key. */
export class ProviderRpcError extends Error {
  override readonly name = 'ProviderRpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.data = data;
  }
}

export const unauthorized = 4100;
export const unsupportedMethod = 4200;
export const disconnected = 4900;
export const chainDisconnected = 4901;
/** EIP-3326: the provider does not know the chain. */
export const unrecognizedChain = 4902;

const invalidParams = -32602;
const limitExceeded = -32005;
const resourceUnavailable = -32002;
const internalError = -32603;

export function invalidRequest(message: string): ProviderRpcError {
  return new ProviderRpcError(invalidParams, message);
}

/** Converts a `FlowgateError`; returns any other value unchanged: an error of the caller, or a signal's reason. */
export function providerError(error: unknown): unknown {
  if (!(error instanceof FlowgateError)) return error;
  return new ProviderRpcError(codeOf(error), error.message, error.data, error);
}

/** Codes of the gateway's refusals over HTTP (contract/json-rpc#errors) and over a WebSocket (contract/websocket#errors). */
const refusals: ReadonlyMap<number, number> = new Map([
  [401, unauthorized],
  [403, unauthorized],
  [404, chainDisconnected],
  [429, limitExceeded],
  [502, internalError],
  [503, resourceUnavailable],
]);

function codeOf(error: FlowgateError): number {
  if (error.kind === 'no-answer') return disconnected;
  if (isBlocked(error)) return unsupportedMethod;
  // With status 200 the code comes from the node, or from the gateway over a WebSocket.
  if (error.code !== undefined && (error.status === 200 || error.status === 400)) return error.code;
  return refusals.get(error.status) ?? error.code ?? internalError;
}

/** The gateway blocks this method (contract/json-rpc#blocked-methods). */
function isBlocked({ code, data }: FlowgateError): boolean {
  const reason: unknown = typeof data === 'object' && data !== null ? Reflect.get(data, 'reason') : undefined;
  return code === -32601 && (reason === 'method_blocked' || reason === 'method_not_enabled');
}
