/** The names of all tools at /mcp, for code that does not serve them. */

import { flowTools } from './flow-tools.ts';
import { ledgerTools } from './ledger-tools.ts';

export const toolNames: readonly string[] = [...flowTools, ...ledgerTools].map(({ name }) => name);
