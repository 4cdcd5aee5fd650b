/** Who answers what an HTTP server has read. */

import type { IncomingRequest, OutgoingReply } from '../incoming-request.ts';
import type { HeadFault } from './head-fault.ts';

export type RequestHandler = {
  /** A rejection is a bug: it ends the connection with an empty 500. */
  readonly handle: (request: IncomingRequest) => OutgoingReply | Promise<OutgoingReply>;
  /** The answer to what is no request, or did not come in time. `target` as far as it was read, else empty. The connection closes afterwards. */
  readonly refuse: (fault: HeadFault, target: string) => OutgoingReply;
};
