/**
 * A dependency of Flowgate did not answer. Adapters throw it; the edge or the calling use case catches it once and
 * decides about the answer.
 */

/**
 * `dependency` names the unavailable dependency (`database`, `identity provider`); the message is for the log, never
 * for a caller.
 */
export class Unavailable extends Error {
  constructor(
    readonly dependency: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(`${dependency} unavailable: ${message}`, options);
    this.name = 'Unavailable';
  }
}
