/** The interface between an HTTP server and the code that answers its requests. */

import type { HeadFault } from './head-fault.ts';
import type { IncomingRequest, OutgoingReply } from './incoming-request.ts';

/** Takes the answer to the request, once. Does not throw. */
export type SendReply = (reply: OutgoingReply) => void;

export type RequestHandler = {
  /**
   * Undefined means that `report` receives the answer later, which avoids a promise. A rejection is a bug: it closes
   * the connection after an empty 500.
   */
  readonly handle: (request: IncomingRequest, report: SendReply) => OutgoingReply | Promise<OutgoingReply> | undefined;
  /**
   * Returns the answer to bytes that are not a valid request, or that did not arrive in time. `target`: as far as it
   * was read, else empty. The connection closes afterwards.
   */
  readonly refuse: (fault: HeadFault, target: string) => OutgoingReply;
};
