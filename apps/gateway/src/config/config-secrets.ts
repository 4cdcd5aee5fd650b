/** The values of the configuration that must never appear in a log line. */

import { nodeSecrets } from '../upstream/networks/node-secrets.ts';
import type { Config } from './config.ts';

export function configSecrets({ keys, storage, identity, flow, networks }: Config): string[] {
  const addresses = [storage.database, storage.redis ?? ''].filter((address) => address.includes('://'));
  return [
    ...keys.peppers,
    ...addresses,
    ...addresses.flatMap(passwordOf),
    ...[identity.jwksUri ?? '', flow.facilitatorUrl ?? '', flow.contentFilter.classifier?.url ?? ''].flatMap(
      (address) => [...passwordOf(address), URL.parse(address)?.search ?? ''],
    ),
    flow.contentFilter.classifier?.secret ?? '',
    ...networks.flatMap((network) => network.nodes.flatMap(nodeSecrets)),
  ];
}

/** As written in the URL, and decoded; a malformed escape is left unchanged, as in form data. */
function passwordOf(address: string): string[] {
  const password = URL.parse(address)?.password ?? '';
  const meant = new URLSearchParams(`password=${password.replaceAll('+', '%2B')}`).get('password') ?? '';
  return [password, meant];
}
