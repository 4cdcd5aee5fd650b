/** What is counted of each request of an identified caller, and the port that counts it (contract/usage#what-is-counted). */

/** `refused`: asked for what may not be or is not well-formed. `failed`: the gateway, a node or an app could not answer. `cached`: answered without asking a node. */
export const usageOutcomes = ['ok', 'cached', 'refused', 'failed', 'limited'] as const;
export type UsageOutcome = (typeof usageOutcomes)[number];

/** `websocket`: connections and their messages; `agents`: `/mcp`. */
export const usageSurfaces = ['rpc', 'websocket', 'rest', 'flow', 'agents'] as const;
export type UsageSurface = (typeof usageSurfaces)[number];

/** In place of a label that does not apply, such as the network of a REST request. */
export const noLabel = 'none';
/** In place of every name that is on no list, and of the labels of whoever has too many of them. */
export const otherLabel = 'other';
/** In place of a key's id for requests with a token. */
export const tokenLabel = 'token';

/** One request, or several alike. Each label is one of few values: a name that callers invent is `other`. */
export type Used = {
  readonly userId: string;
  /** The key's id, or `token`. */
  readonly keyId: string;
  readonly surface: UsageSurface;
  /** `ethereum/mainnet`. */
  readonly network: string;
  /** `publisher/slug`. */
  readonly app: string;
  /** A method of JSON-RPC, a route, a tool. */
  readonly method: string;
  readonly outcome: UsageOutcome;
  /** How long it took. */
  readonly ms: number;
  readonly requests: number;
  /** Now, by the monotonic clock. */
  readonly nowMs: number;
};

/** Keeps nothing of the object, which its caller may use again. Neither waits nor throws. */
export type CountUse = (used: Used) => void;
