/** Opens the configured networks and their nodes. */

import { createQuickFractions } from '@flowgate/base/random';
import { ByteBudget, byteBudgetSizes } from '@flowgate/bytes/byte-budget';
import { bridgeContracts } from '../bridge/bridges/bridge-contracts.ts';
import type { Config } from '../config/config.ts';
import { configuredContracts } from '../resources/contracts/configured-contracts.ts';
import { contractRoutes } from '../resources/contracts/contract-routes.ts';
import { ledgerRoutes } from '../resources/networks/network-routes.ts';
import type { NetworkDirectory } from '../upstream/networks/network.ts';
import type { OpenOneNode } from '../upstream/networks/node-opener.ts';
import { openNetworks } from '../upstream/networks/open-networks.ts';
import type { OpenFirewall } from './open-firewall.ts';
import { type ModuleHooks, moduleHooks } from './open-modules.ts';
import type { Runtime } from './runtime.ts';

export type Ledgers = {
  readonly networks: NetworkDirectory;
  /** Opens one more node, with the limits and parts of the configured ones. */
  readonly openOneNode: OpenOneNode;
  /** The byte budget for large answers, from their arrival until their callers have fetched them. */
  readonly answerBudget: ByteBudget;
  readonly hooks: ModuleHooks;
};

export function openLedgers(
  config: Config,
  { clock, timerWheel, turns, quickTimers: timers, timeSlices: slices, log, instruments, randomBytes }: Runtime,
  { firewall }: { readonly firewall: OpenFirewall },
): Ledgers {
  const { limits, outbound, health } = config;
  const answerBudget = new ByteBudget(byteBudgetSizes(limits.maxAnswerBytesInFlight, outbound.maxResponseBytes));
  const networks = openNetworks(config.networks, outbound, {
    log,
    ...{ timerWheel, turns, clock },
    randomBytes,
    answerBudget,
    slices,
    health,
    instruments,
    timers,
    random: createQuickFractions(randomBytes),
  });
  return {
    networks: networks.directory,
    openOneNode: networks.openOneNode,
    answerBudget,
    hooks: moduleHooks({
      routes: [
        ...ledgerRoutes({ directory: networks.directory, providers: config.providers, firewall: firewall.firewall }),
        ...contractRoutes({
          contracts: [...configuredContracts(config.networks), ...bridgeContracts(config.bridges)],
          firewall: firewall.firewall,
        }),
      ],
      start: networks.start,
      close: networks.close,
    }),
  };
}
