/** The bodies that register and change a node (contract/nodes#registering, contract/nodes#changing). */

import { identifier, mustBe, optional } from '@flowgate/body-schema/body-members';
import { bodySchema } from '@flowgate/body-schema/body-schema';
import { maxUrlLength } from '@flowgate/http1/safe-fetch/url-vetting';
import { z } from 'zod';
import { nodeLabel } from './node-wire.ts';

const nodeUrl = () =>
  z.string(mustBe('a string')).meta({
    description: "Where the node answers JSON-RPC, with the provider's key in its path. Stored encrypted.",
    maxLength: maxUrlLength,
    // No example of a key: it would be mistaken for one.
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
        "`private`: an administrator vouches for an address that no provider has; needs an administrator's token. Left out: `public`.",
      ),
    }),
  { dlt: 'ethereum', networkId: 'dev', url: 'https://eth-mainnet.g.alchemy.com/v2/YOUR-KEY', label: 'indexer' },
);

export const nodePatch = bodySchema(
  'NodePatch',
  'What to change. Members that are left out stay.',
  () =>
    z.object({
      label: nodeLabel().nullish().describe('`null` removes it.'),
      url: optional(nodeUrl()).describe(
        'A new address on the same network, under the same rules: a rotated provider key.',
      ),
      shared: optional(z.boolean(mustBe('true or false'))).describe("Needs an administrator's token."),
    }),
  { label: 'indexer, blue' },
);

export const administeredNodePatch = bodySchema(
  'AdministeredNodePatch',
  'What to change. Members that are left out stay.',
  () =>
    z.object({
      shared: optional(z.boolean(mustBe('true or false'))).describe(
        "Whether all users may call it, and its network's pool uses it. Nodes of the operator always are.",
      ),
      cordoned: optional(z.boolean(mustBe('true or false'))).describe('Whether it gets no new calls.'),
    }),
  { cordoned: true },
);
