/** Opens the endpoint for AI agents. */

import { createAgentHandler } from '../agents/answer-message.ts';
import type { AgentHandler } from '../agents/routes.ts';
import { type Part, part } from './part.ts';
import type { Surroundings } from './surroundings.ts';

export type Agents = { readonly handler: AgentHandler; readonly part: Part };

export function openAgents({ version, log }: Surroundings): Agents {
  const onError = (error: Error) => log.debug('agents.refused', { error: error.message });
  return { handler: createAgentHandler({ version, onError }), part: part() };
}
