/** The envelope of a path: JSON-RPC errors, StandardError, or ProblemDetails (contract/errors#envelopes). */
export type Envelope = 'rpc' | 'rest' | 'flow';
