/** An agent's message being answered, and what the limits said about what its tool asked for. */

import type { Admission } from '../api/rate-limiter.ts';
import { RequestContext } from './request-context.ts';

export class AgentContext extends RequestContext {
  /** The parsed body; undefined when it is not JSON. */
  message: unknown;
  /** Whether the message calls a tool that exists. */
  callsTool = false;
  /** What the limits said to the tool's first request; undefined before they were asked. */
  toolAdmission: Admission | undefined;
}
