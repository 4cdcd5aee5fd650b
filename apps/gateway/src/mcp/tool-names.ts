/** The names of all tools at /mcp, for code that does not serve them. */

import { allTools } from './all-tools.ts';

export const toolNames: readonly string[] = allTools.map(({ name }) => name);
