/** A dependency of Flowgate did not answer: thrown by adapters, and caught once, where a use or the edge decides what that means. */

/** `dependency` names what is unavailable (`database`, `identity provider`); the message is for the log, never for a caller. */
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
