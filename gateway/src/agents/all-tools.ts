/** All tools that agents find at /mcp. */

import { bridgeTools } from './bridge-tools.ts';
import { flowTools } from './flow-tools.ts';
import { ledgerTools } from './ledger-tools.ts';
import { resourceTools } from './resource-tools.ts';
import type { Tool } from './tool.ts';
import { usageTools } from './usage-tools.ts';

export const allTools: readonly Tool[] = [
  ...flowTools,
  ...ledgerTools,
  ...resourceTools,
  ...bridgeTools,
  ...usageTools,
];
