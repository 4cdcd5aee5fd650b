/** The check of contracts of bridges and pools at each start. Its code is loaded only when a bridge or a pool is configured. */

import { errorPlace } from '@flowgate/base/text';
import type { CheckedDeps } from '../bridge/checks/check-all.ts';
import { type ContractWatch, createContractWatch } from '../bridge/checks/contract-watch.ts';
import type { Runtime } from './runtime.ts';

export type OpenContractWatch = Pick<ContractWatch, 'troubleOf'> & {
  /** No request waits for it. */
  readonly start: () => void;
  readonly stop: () => void;
};

export function openContractWatch(deps: CheckedDeps, { log }: Pick<Runtime, 'log'>): OpenContractWatch {
  const check = async () => (await import('../bridge/checks/check-all.ts')).checkAll(deps);
  const { run, troubleOf } = createContractWatch(check, { log });
  const stopping = new AbortController();
  return {
    troubleOf,
    start() {
      run(stopping.signal).catch((error: unknown) => log.error('bridge.check-failed', errorPlace(error)));
    },
    // A check in progress is not awaited, because it changes nothing.
    stop: () => stopping.abort(),
  };
}
