/** Why a request that claims to come from the gateway is refused. */

/**
 * `headers`: one of the three is missing or malformed. `timestamp`: signed too long ago or in the future, for example a replayed request. `signature`: signed
 * with another secret, or changed in transit. `body`: signed by the gateway, but not an event.
 */
export type WebhookProblem = 'headers' | 'timestamp' | 'signature' | 'body';

/** Answer it with 400 or 401. Contains no secret and no signature, so it may be logged. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}
