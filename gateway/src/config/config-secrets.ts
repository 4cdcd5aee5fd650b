/** What of the configuration must never be seen in a log line, however it got there. */

import { nodeSecrets } from '../ledgers/node-secrets.ts';
import type { Config } from './config.ts';

export function configSecrets({ keys, storage, identity, flow, networks }: Config): string[] {
  const addresses = [storage.database, storage.redis ?? ''].filter((address) => address.includes('://'));
  return [
    ...keys.peppers,
    ...addresses,
    ...addresses.flatMap(passwordOf),
    ...[identity.jwksUri ?? '', flow.facilitatorUrl ?? ''].flatMap((address) => [
      ...passwordOf(address),
      URL.parse(address)?.search ?? '',
    ]),
    ...networks.flatMap((network) => network.nodes.flatMap(nodeSecrets)),
  ];
}

/** As it is written in the URL, and as it is meant; a malformed escape stands for itself, as form data has it. */
function passwordOf(address: string): string[] {
  const password = URL.parse(address)?.password ?? '';
  const meant = new URLSearchParams(`password=${password.replaceAll('+', '%2B')}`).get('password') ?? '';
  return [password, meant];
}
