/** The result of checking a configuration. */

import type { ConfigProblem } from './config-file.ts';

export type ConfigVerdict = {
  /** Not empty: exit code 2. */
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
};
