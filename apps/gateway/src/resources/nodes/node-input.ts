/** The bodies that register and change a node (contract/nodes#registering, contract/nodes#changing). */

import { identifier, mustBe, optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { maxUrlLength } from '@flowgate/http1/safe-fetch/url-vetting';
import { z } from 'zod';
import { nodeLabel } from './node-wire.ts';

const nodeUrl = () =>
  z.string(mustBe('a string')).meta({
    description: "The URL at which the node answers JSON-RPC, with the provider's key in its path. Stored encrypted.",
    maxLength: maxUrlLength,
    // Without an example of a key, which could be mistaken for a real one.
    examples: ['https://eth-mainnet.g.alchemy.com/v2/YOUR-KEY'],
  });

export const nodeInput = bodySchema(
  'NodeInput',
  'A node to register.',
  () =>
    z.object({
      dlt: identifier().describe('The ledger, as in `GET /dlts`.'),
      networkId: identifier().describe('The network, as in `GET /networks`.'),
      url: nodeUrl(),
      label: optional(nodeLabel()),
      kind: optional(z.enum(['public', 'private'], { error: 'must be public or private' })).describe(
        "Default: `public`, a node of an approved provider. `private`: an administrator vouches for the address, which needs an administrator's token.",
      ),
    }),
  { dlt: 'ethereum', networkId: 'dev', url: 'https://eth-mainnet.g.alchemy.com/v2/YOUR-KEY', label: 'indexer' },
);

export const nodePatch = bodySchema(
  'NodePatch',
  'The changes. Omitted members do not change.',
  () =>
    z.object({
      label: nodeLabel().nullish().describe('`null` removes the label.'),
      url: optional(nodeUrl()).describe(
        'A new URL on the same network, under the same rules, for example with a rotated provider key.',
      ),
      shared: optional(z.boolean(mustBe('true or false'))).describe(
        "Whether all users may call it. Needs an administrator's token.",
      ),
    }),
  { label: 'indexer, blue' },
);

export const administeredNodePatch = bodySchema(
  'AdministeredNodePatch',
  'The changes. Omitted members do not change.',
  () =>
    z.object({
      shared: optional(z.boolean(mustBe('true or false'))).describe(
        "Whether all users may call it, and its network's pool uses it. Always true for nodes of the operator.",
      ),
      cordoned: optional(z.boolean(mustBe('true or false'))).describe('True to send the node no new calls.'),
    }),
  { cordoned: true },
);
