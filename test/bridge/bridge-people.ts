/** The users of the simulated bridge: accounts with keys, so that a user of the gateway can link their wallets. */

import { privateKeyToAccount } from 'viem/accounts';

/** Fewer than the wallets that a user may have. */
const count = 12;

export const people = Array.from({ length: count }, (_, nth) =>
  privateKeyToAccount(`0x${(nth + 1).toString(16).padStart(2, '0').repeat(32)}`),
);

/** In lower case. */
export const addresses: readonly string[] = people.map(({ address }) => address.toLowerCase());
