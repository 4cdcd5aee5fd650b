/** The interface between an HTTP server and whoever answers its requests. */

import type { IncomingRequest, OutgoingReply } from '../incoming-request.ts';
import type { HeadFault } from './head-fault.ts';

/** Takes the answer to the request, once. Does not throw. */
export type TellReply = (reply: OutgoingReply) => void;

export type RequestHandler = {
  /** Undefined: `tell` gets the answer later, which saves the promise. A rejection is a bug: it ends the connection with an empty 500. */
  readonly handle: (request: IncomingRequest, tell: TellReply) => OutgoingReply | Promise<OutgoingReply> | undefined;
  /** The answer to bytes that are no request, or that did not arrive in time. `target`: as far as it was read, else empty. The connection closes afterwards. */
  readonly refuse: (fault: HeadFault, target: string) => OutgoingReply;
};
