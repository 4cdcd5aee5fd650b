/** The configuration of networks with their nodes, and of approved node providers. */

import { familyNames } from '@flowgate/chain/families/family-names';
import { isHeaderName, isHeaderValue } from '@flowgate/http1/client/http1-request';
import { isHostOfUrl } from '@flowgate/http1/safe-fetch/url-vetting';
import { z } from 'zod';
import { isSocketUrl, nodeSchemeOf, nodeSchemes } from '../upstream/port/node-schemes.ts';
import { defaultRouting, percentileShare } from '../upstream/routing/routing-settings.ts';
import { contractAddress, flag, identifier, seconds, whole } from './value-forms.ts';

const nodeUrl = z.string().refine(
  (text) => nodeSchemeOf(text) !== undefined,
  `must be an ${nodeSchemes
    .map((scheme) => `${scheme}//`)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')} URL`,
);

const node = z.strictObject({
  nodeId: identifier.describe('Unique in the whole file.'),
  url: nodeUrl.describe(
    'Where the node answers JSON-RPC; may hold a provider key, which is never shown. Over `ws://` or `wss://` many calls share a connection.',
  ),
  wsUrl: z
    .string()
    .refine(isSocketUrl, 'must be a ws:// or wss:// URL')
    .optional()
    .describe(
      'Where the node tells new heads and pending transactions by itself; by default `url`, if that is a WebSocket. Calls stay at `url`. Secret as `url`.',
    ),
  headers: z
    .record(
      z
        .string()
        .refine(isHeaderName, 'must be a header that the gateway does not set itself, such as Host or Content-Length'),
      z.string().refine(isHeaderValue, 'must be printable ASCII'),
    )
    .default({})
    .describe(
      'Headers sent with every call to the node, and with every WebSocket that is opened, for example Authorization.',
    ),
  pipelining: flag
    .default(false)
    .describe(
      'Whether several quick reads may be under way on one connection to the node, which must answer them in order (docs/operations.md).',
    ),
  tier: whole(0, 100).default(0).describe('A node of a higher tier is asked when none of a lower one is a candidate.'),
});

const hedgeDelay = z.union(
  [
    whole(1, 60_000),
    z.string().refine((text) => percentileShare(text) !== undefined, 'must be a percentile from `p50` to `p99`'),
  ],
  'must be milliseconds from 1 to 60000, or a percentile from p50 to p99',
);

const routing = z.strictObject({
  strategy: z
    .enum(['fastest', 'ordered'])
    .default(defaultRouting.strategy)
    .describe(
      'Which candidate is asked: `fastest`, the quicker of two random ones, or `ordered`, the first one of the file.',
    ),
  maxLagBlocks: whole(0, 1_000_000)
    .default(defaultRouting.maxLagBlocks)
    .describe('A node that is further behind the others is asked only when no other is left.'),
  attempts: whole(1, 10)
    .default(defaultRouting.attempts)
    .describe('The most nodes that one call is sent to, the first one included.'),
  hedge: z
    .strictObject({
      afterMs: hedgeDelay.describe(
        'When a read is sent to a second node as well: after milliseconds, or a percentile of the method’s times, such as `p95`.',
      ),
      maxPercent: seconds(0, 100).default(5).describe('The most calls, in percent, that are sent to a second node.'),
    })
    .optional()
    .describe('Sends slow reads to a second node; the first answer counts. Absent: none.'),
});

const contract = z.strictObject({
  contractId: identifier.describe('Unique among all contracts of the file; callers name the contract by it.'),
  role: identifier.describe('What it is for, such as `token` or `bridge`.'),
  name: z.string().min(1).max(100).optional().describe('For people.'),
  address: contractAddress.describe('Where the contract is on this network.'),
});

const stakingContract = z.strictObject({
  contractId: identifier.describe('Unique among all contracts of the file; callers name the contract by it.'),
  name: z.string().min(1).max(100).optional().describe('For people.'),
  address: contractAddress.describe('Where the contract is on this network.'),
});

export const networkKeys = z.strictObject({
  dlt: identifier.describe('The ledger, for example `ethereum`.'),
  networkId: identifier.describe('Unique within its ledger.'),
  name: z.string().min(1).optional().describe('For people; by default the networkId.'),
  family: z.enum(familyNames).default('evm').describe('The kind of ledger: its methods, and how a chain is told.'),
  chainId: whole(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('The EIP-155 chain id of an `evm` network. A node that answers another one is not asked.'),
  genesisHash: z
    .string()
    .optional()
    .describe(
      'The hash of the first block of a `solana` or `bitcoin` network (`getGenesisHash`, `getblockhash 0`). A node that answers another one is not asked.',
    ),
  default: flag
    .default(false)
    .describe('Whether un-scoped /rpc reaches this network; a single network is the default by itself.'),
  nodes: z.array(node).min(1).describe('Which one is asked, `routing` decides; another one when it fails.'),
  routing: routing.prefault({}).describe('Which node a call goes to (docs/contract/routing.md).'),
  methods: z
    .strictObject({
      enable: z
        .array(z.string())
        .default([])
        .describe('Heavy method families opened on this network, for example `trace_*`.'),
    })
    .prefault({}),
  cache: z
    .strictObject({
      maxBytes: whole(0, 2 ** 40)
        .default(67_108_864)
        .describe(
          'Memory of each gateway for answers of this network that are given again (docs/contract/cache.md); 0 keeps none.',
        ),
    })
    .prefault({}),
  subscriptions: z
    .strictObject({
      pending: flag
        .default(false)
        .describe('Whether `eth_subscribe` takes `newPendingTransactions`; a provider may charge for each of them.'),
      logsBloom: flag
        .default(true)
        .describe(
          "Whether the `logsBloom` of blocks is right: it tells which blocks have no logs, and whether a node's logs are complete. `false` for chains that compute it otherwise.",
        ),
    })
    .prefault({}),
  logs: z
    .strictObject({
      maxBlockRange: whole(1, 10_000_000)
        .default(10_000)
        .describe(
          'Blocks that one `eth_getLogs` to a node may cover; a call over more is split (docs/contract/logs.md).',
        ),
      maxResults: whole(1, 1_000_000)
        .default(20_000)
        .describe('Logs that one answer to `eth_getLogs` may hold; over it callers are told a range that fits.'),
    })
    .prefault({})
    .describe('Bounds of `eth_getLogs` on an `evm` network.'),
  confirmations: whole(1, 100_000)
    .default(12)
    .describe('Blocks after which a transaction is taken as final; the one that holds it is the first.'),
  broadcast: whole(1, 20)
    .default(1)
    .describe(
      'To how many nodes a transaction is sent at once; the first success answers (docs/contract/transactions.md).',
    ),
  contracts: z.array(contract).default([]).describe('Contracts that `GET /contracts` names to callers.'),
  staking: z
    .array(stakingContract)
    .default([])
    .describe(
      'Staking contracts of the widespread rewards form, whose positions callers see (docs/contract/stakes.md).',
    ),
});

export const providerKeys = z.strictObject({
  providerId: identifier.describe('Unique.'),
  name: z.string().min(1).describe('For people.'),
  domains: z
    .array(
      z.preprocess(
        asInUrls,
        z
          .string()
          .refine(isBareHost, 'must be a host name such as alchemy.com, localhost or an IP address: no port, no slash'),
      ),
    )
    .min(1)
    .describe(
      'Host names, `localhost` or IP addresses that public nodes of this provider live at or, for a name, below.',
    ),
});

/** In lower case, IPv6 addresses in brackets: as the host of a parsed URL. */
function asInUrls(domain: unknown): unknown {
  if (typeof domain !== 'string') return domain;
  const host = domain.toLowerCase();
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}

function isBareHost(host: string): boolean {
  return /^(\[[^\]]*\]|[a-z0-9_-]+(\.[a-z0-9_-]+)*)$/.test(host) && isHostOfUrl(host);
}

/** The eight approved provider domains (contract/networks#providers). */
export const defaultProviders = [
  { providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] },
  { providerId: 'infura', name: 'Infura', domains: ['infura.io'] },
  { providerId: 'quicknode', name: 'QuickNode', domains: ['quiknode.pro'] },
  { providerId: 'ankr', name: 'Ankr', domains: ['ankr.com'] },
  { providerId: 'chainstack', name: 'Chainstack', domains: ['chainstack.com'] },
  { providerId: 'getblock', name: 'GetBlock', domains: ['getblock.io'] },
  { providerId: 'blast', name: 'Blast API', domains: ['blastapi.io'] },
  { providerId: 'nodereal', name: 'NodeReal', domains: ['nodereal.io'] },
];
