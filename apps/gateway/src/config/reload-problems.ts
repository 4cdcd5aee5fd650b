/** Settings that a reload cannot change, because the reloading process has opened them: the port, the number of workers, and the listener for metrics. */

import type { Config } from './config.ts';
import type { ConfigProblem } from './config-file.ts';

export function reloadProblems(before: Pick<Config, 'server'>, after: Pick<Config, 'server'>): ConfigProblem[] {
  const message = 'cannot be changed by a reload: restart the gateway';
  const [old, next] = [before.server, after.server];
  return [
    ...(['host', 'port', 'workers'] as const).filter((key) => old[key] !== next[key]).map((key) => `server.${key}`),
    ...(JSON.stringify(old.metrics) === JSON.stringify(next.metrics) ? [] : ['server.metrics']),
  ].map((path) => ({ path, message }));
}
