/** Who a JSON-RPC body is served for. */

/** The user, for whom large answers are counted, and the request that the body came in by, whose signal is looked at only when a call has to wait. */
export type RpcCaller = { readonly userId: string; readonly request: { readonly signal: AbortSignal } };
