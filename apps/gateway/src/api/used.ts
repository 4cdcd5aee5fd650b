/** The record that is counted for each request of an authenticated caller, and the function that counts it (contract/usage#what-is-counted). */

/** `refused`: the request is not allowed or not well-formed. `failed`: the gateway, a node or an app could not answer. `cached`: answered without a call to a node. */
export const usageOutcomes = ['ok', 'cached', 'refused', 'failed', 'limited'] as const;
export type UsageOutcome = (typeof usageOutcomes)[number];

/** `websocket`: connections and their messages; `agents`: `/mcp`. */
export const usageSurfaces = ['rpc', 'websocket', 'rest', 'flow', 'agents'] as const;
export type UsageSurface = (typeof usageSurfaces)[number];

/** The value of a label that does not apply, such as the network of a REST request. */
export const noLabel = 'none';
/** Replaces every name that is not in a list, and the labels of a user who has too many different ones. */
export const otherLabel = 'other';
/** The key id of requests with a token. */
export const tokenLabel = 'token';

/** One request, or several equal ones. Each label has few possible values: a name that a caller invents is recorded as `other`. */
export type Used = {
  readonly userId: string;
  /** The key's id, or `token`. */
  readonly keyId: string;
  readonly surface: UsageSurface;
  /** `ethereum/mainnet`. */
  readonly network: string;
  /** `publisher/slug`. */
  readonly app: string;
  /** A JSON-RPC method, a route or a tool. */
  readonly method: string;
  readonly outcome: UsageOutcome;
  /** Duration in milliseconds. */
  readonly ms: number;
  readonly requests: number;
  /** The present time of the monotonic clock. */
  readonly nowMs: number;
};

/** Does not retain the object, so the caller may reuse it. Neither waits nor throws. */
export type CountUse = (used: Used) => void;
