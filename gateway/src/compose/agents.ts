/** Opens the endpoint for AI agents. */

import { toolsOf } from '../agents/all-tools.ts';
import { createAgentHandler } from '../agents/answer-message.ts';
import type { AgentHandler } from '../agents/routes.ts';
import type { Config } from '../config/config.ts';
import { type Part, part } from './part.ts';
import type { Surroundings } from './surroundings.ts';

export type Agents = { readonly handler: AgentHandler; readonly part: Part };

export function openAgents({ bridges, swaps }: Config, { version, log }: Surroundings): Agents {
  const onError = (error: Error) => log.debug('agents.refused', { error: error.message });
  const tools = toolsOf({ hasBridges: bridges.length > 0, hasPools: swaps.length > 0 });
  return { handler: createAgentHandler({ version, tools, onError }), part: part() };
}
