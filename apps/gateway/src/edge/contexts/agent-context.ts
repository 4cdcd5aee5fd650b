/** The context of an agent's message, with the limiter's decision on the requests of its tool. */

import type { Admission } from '../../api/rate-limiter.ts';
import { RequestContext } from './request-context.ts';

/** The limit of a step of a Flow App: no tool needs more, and parsing a larger body would delay other requests (docs/decisions/0134). */
const maxBytes = 1_048_576;

export class AgentContext extends RequestContext {
  /** The parsed body; undefined when it is not JSON. */
  message: unknown;
  /** The tool that the message calls, if the tool exists. */
  tool: string | undefined;
  /** The first request of the tool. */
  asked: RequestContext | undefined;
  /** The limiter's decision on the tool's first request; undefined before it. */
  toolAdmission: Admission | undefined;

  /** An answer of a tool's request may hold a secret without marking it. */
  protected override get mayCompress(): boolean {
    return false;
  }

  override get maxBodyBytes(): number {
    return maxBytes;
  }
}
