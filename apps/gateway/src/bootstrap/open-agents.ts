/** Opens the endpoint for AI agents. */

import type { Config } from '../config/config.ts';
import { toolsOf } from '../mcp/all-tools.ts';
import { createAgentHandler } from '../mcp/answer-mcp-message.ts';
import type { AgentHandler } from '../mcp/mcp-routes.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Runtime } from './runtime.ts';

export type Agents = { readonly handler: AgentHandler; readonly hooks: ModuleHooks };

export function openAgents({ bridges, swaps }: Config, { version, log }: Runtime): Agents {
  const onError = (error: Error) => log.debug('agents.refused', { error: error.message });
  const tools = toolsOf({ hasBridges: bridges.length > 0, hasPools: swaps.length > 0 });
  return { handler: createAgentHandler({ version, tools, onError }), hooks: moduleHooks() };
}
