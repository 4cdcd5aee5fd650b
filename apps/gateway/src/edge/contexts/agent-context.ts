/** The context of an agent's message, with the limiter's decision on its tool's requests. */

import type { Admission } from '../../api/rate-limiter.ts';
import { RequestContext } from './request-context.ts';

/** As much as a step of a Flow App may have: no tool needs more, and what is parsed as a whole holds up everybody else (docs/decisions/0134). */
const maxBytes = 1_048_576;

export class AgentContext extends RequestContext {
  /** The parsed body; undefined when it is not JSON. */
  message: unknown;
  /** The tool that it calls, if that exists. */
  tool: string | undefined;
  /** The first request of its tool. */
  asked: RequestContext | undefined;
  /** The limiter's decision on the tool's first request; undefined before it. */
  toolAdmission: Admission | undefined;

  /** What a tool's requests answered may hold a secret, and the message does not say so. */
  protected override get mayCompress(): boolean {
    return false;
  }

  override get maxBodyBytes(): number {
    return maxBytes;
  }
}
