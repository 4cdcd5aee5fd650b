/** Parses names of networks: `ethereum/mainnet`. */

import type { NetworkName } from '@flowgate/client';
import { CliProblem } from './cli-problem.ts';

/** Throws `CliProblem`. */
export function networkName(text: string): NetworkName {
  const [dlt = '', networkId = '', ...rest] = text.split('/');
  if (dlt !== '' && networkId !== '' && rest.length === 0) return { dlt, networkId };
  throw new CliProblem('usage', 'a network is dlt/id, such as ethereum/mainnet', 'flowgate networks lists them.');
}
