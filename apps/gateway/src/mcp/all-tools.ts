/** All tools that `/mcp` offers. */

import { bridgeTools, listHistory, transferTools } from './bridge-tools.ts';
import { flowTools } from './flow-tools.ts';
import { ledgerTools } from './ledger-tools.ts';
import { resourceTools } from './resource-tools.ts';
import type { Tool } from './tool.ts';
import { usageTools } from './usage-tools.ts';

/** The tools of this gateway. Without a bridge or a pool in the configuration, the tools about them are absent. */
export function toolsOf({ hasBridges, hasPools }: { readonly hasBridges: boolean; readonly hasPools: boolean }) {
  const without = new Set([...(hasBridges ? [] : transferTools), ...(hasBridges || hasPools ? [] : [listHistory])]);
  return allTools.filter((each) => !without.has(each));
}

export const allTools: readonly Tool[] = [
  ...flowTools,
  ...ledgerTools,
  ...resourceTools,
  ...bridgeTools,
  ...usageTools,
];
