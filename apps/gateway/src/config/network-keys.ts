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
  nodeId: identifier.describe('Name, unique in the whole file.'),
  url: nodeUrl.describe(
    'JSON-RPC address of the node. It may contain a provider key and is never shown. Over `ws://` or `wss://` many calls share a connection.',
  ),
  wsUrl: z
    .string()
    .refine(isSocketUrl, 'must be a ws:// or wss:// URL')
    .optional()
    .describe(
      'WebSocket address for new heads and pending transactions; calls continue to use `url`. Default: `url`, if that is a WebSocket. It is never shown.',
    ),
  headers: z
    .record(
      z
        .string()
        .refine(isHeaderName, 'must be a header that the gateway does not set itself, such as Host or Content-Length'),
      z.string().refine(isHeaderValue, 'must be printable ASCII'),
    )
    .default({})
    .describe('Headers of every call to the node and of every WebSocket handshake, for example `Authorization`.'),
  pipelining: flag
    .default(false)
    .describe(
      'Whether several quick reads may be in flight on one HTTP connection. The node must answer them in order (docs/operate/scale.md).',
    ),
  tier: whole(0, 100)
    .default(0)
    .describe('Priority: a node receives calls only when no node of a lower tier is a candidate.'),
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
      'How a node is selected: `fastest` takes the faster of two random candidates, `ordered` the first one in the file.',
    ),
  maxLagBlocks: whole(0, 1_000_000)
    .default(defaultRouting.maxLagBlocks)
    .describe(
      'Blocks that a node may be behind the others. A node further behind receives calls only when no other remains.',
    ),
  attempts: whole(1, 10)
    .default(defaultRouting.attempts)
    .describe('Nodes to which one call is sent at most, including the first.'),
  hedge: z
    .strictObject({
      afterMs: hedgeDelay.describe(
        "Delay before a read is also sent to a second node: milliseconds, or a percentile of the method's response times, such as `p95`.",
      ),
      maxPercent: seconds(0, 100).default(5).describe('Share of calls, in percent, that may be sent to a second node.'),
    })
    .optional()
    .describe('Sends slow reads to a second node as well; the first response counts. Default: off.'),
});

const contract = z.strictObject({
  contractId: identifier.describe('Name, unique among all contracts of the file.'),
  role: identifier.describe('Purpose, such as `token` or `bridge`.'),
  name: z.string().min(1).max(100).optional().describe('Display name.'),
  address: contractAddress.describe('Address of the contract on this network.'),
});

const stakingContract = z.strictObject({
  contractId: identifier.describe('Name, unique among all contracts of the file.'),
  name: z.string().min(1).max(100).optional().describe('Display name.'),
  address: contractAddress.describe('Address of the contract on this network.'),
});

export const networkKeys = z.strictObject({
  dlt: identifier.describe('Ledger, for example `ethereum`.'),
  networkId: identifier.describe('Name of the network, unique within its ledger.'),
  name: z.string().min(1).optional().describe('Display name. Default: the `networkId`.'),
  family: z
    .enum(familyNames)
    .default('evm')
    .describe('Kind of ledger. It determines the methods and how the gateway verifies the chain of a node.'),
  chainId: whole(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('EIP-155 chain id of an `evm` network. A node that reports another one receives no calls.'),
  genesisHash: z
    .string()
    .optional()
    .describe(
      'Hash of the first block of a `solana` (`getGenesisHash`) or `bitcoin` (`getblockhash 0`) network. A node that reports another one receives no calls.',
    ),
  default: flag
    .default(false)
    .describe('Whether calls to `/rpc`, which name no network, go here. A single network is always the default.'),
  nodes: z.array(node).min(1).describe('Nodes of the network. `routing` selects one for each call.'),
  routing: routing.prefault({}).describe('Which node a call goes to (docs/contract/routing.md).'),
  methods: z
    .strictObject({
      enable: z
        .array(z.string())
        .default([])
        .describe('Heavy method families that this network allows, for example `trace_*`.'),
    })
    .prefault({}),
  cache: z
    .strictObject({
      maxBytes: whole(0, 2 ** 40)
        .default(67_108_864)
        .describe(
          'Memory per gateway process for cached responses of this network (docs/contract/cache.md); 0 disables the cache.',
        ),
    })
    .prefault({}),
  subscriptions: z
    .strictObject({
      pending: flag
        .default(false)
        .describe(
          'Whether callers may subscribe to `newPendingTransactions`. Providers may charge for each notification.',
        ),
      logsBloom: flag
        .default(true)
        .describe(
          "Whether the `logsBloom` of blocks is reliable. The gateway uses it to find blocks without logs and to check that a node's logs are complete. Set `false` for chains that compute it differently from Ethereum.",
        ),
    })
    .prefault({}),
  logs: z
    .strictObject({
      maxBlockRange: whole(1, 10_000_000)
        .default(10_000)
        .describe(
          'Blocks per `eth_getLogs` call to a node; a call over a larger range is split (docs/contract/logs.md).',
        ),
      maxResults: whole(1, 1_000_000)
        .default(20_000)
        .describe(
          'Logs per response to `eth_getLogs`. A larger result is refused, and the error names a range that fits.',
        ),
    })
    .prefault({})
    .describe('Bounds of `eth_getLogs` on an `evm` network.'),
  confirmations: whole(1, 100_000)
    .default(12)
    .describe('Blocks after which a transaction counts as final, its own block included.'),
  broadcast: whole(1, 20)
    .default(1)
    .describe(
      'Nodes that receive a transaction at once; the first success answers the caller (docs/contract/transactions.md).',
    ),
  contracts: z.array(contract).default([]).describe('Contracts that `GET /contracts` lists.'),
  staking: z
    .array(stakingContract)
    .default([])
    .describe(
      'Staking contracts of the common rewards form, whose positions callers can list (docs/contract/stakes.md).',
    ),
});

export const providerKeys = z.strictObject({
  providerId: identifier.describe('Unique name.'),
  name: z.string().min(1).describe('Display name.'),
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
      'Host names (with their subdomains), `localhost` or IP addresses at which public nodes of this provider may live.',
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
