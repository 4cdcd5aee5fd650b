/** The route that lists the operator's bridges (contract/bridge#bridges). */

import { identifier } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { z } from 'zod';
import { configuredPage } from '../api/configured-list.ts';
import type { Firewall, GuardedResource } from '../api/firewall.ts';
import { pageQuery } from '../api/page-query.ts';
import { permittedReads } from '../api/permitted-reads.ts';
import type { CallerRoute } from '../api/route.ts';
import type { Bridge, BridgeSide } from './bridges/bridge.ts';
import type { KnownTokens, TokenStore } from './tokens/token-store.ts';
import { bridgedToken, bridgedTokenView } from './tokens/token-wire.ts';

const place = (description: string) =>
  z.object({ dlt: identifier(), networkId: identifier(), chainId: z.int().describe('EIP-155.') }).describe(description);

export const bridgeRecord = bodySchema(
  'BridgeRecord',
  'A bridge of a rollup that the operator of this gateway names.',
  () =>
    z.object({
      bridgeId: identifier(),
      name: z.string().describe('The name that people see.'),
      l1: place('L1, where deposits begin and withdrawals end.'),
      l2: place('L2, the rollup.'),
      confirmations: z.int().describe('Blocks on L1 until a deposit is confirmed, its own included.'),
      tokens: z.array(bridgedToken()).describe('Ether first, then the token pairs that the operator configures.'),
    }),
  {
    bridgeId: 'main',
    name: 'Local rollup',
    l1: { dlt: 'ethereum', networkId: 'l1', chainId: 900 },
    l2: { dlt: 'ethereum', networkId: 'l2', chainId: 901 },
    confirmations: 3,
    tokens: [{ native: true, symbol: 'ETH', decimals: 18 }],
  },
);

const bridgePage = pageSchema('BridgePage', 'Bridges.', bridgeRecord);

export type BridgeRoutesDeps = {
  readonly bridges: readonly Bridge[];
  readonly tokens: Pick<TokenStore, 'describe'>;
  readonly firewall: Firewall;
};

export function bridgeRoutes({ bridges, tokens, firewall }: BridgeRoutesDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/bridges',
      accessLevel: 'caller',
      doc: {
        summary: 'List bridges',
        description:
          'The bridges for which this gateway lists and prepares deposits and withdrawals, without those of a network that is denied to the caller. Empty when the operator configures none.',
        tag: 'Bridges',
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page, in the order of the configuration.', schema: bridgePage }],
        refusals: ['bad-request', 'unavailable'],
      },
      async handle({ caller, query }) {
        const permitted = await permittedReads(firewall, caller, bridges, networksOf);
        if ('reason' in permitted) return permitted;
        const known = await tokens.describe(
          permitted.flatMap(({ l1, tokens: pairs }) => pairs.map((pair) => ({ ...placeOf(l1), address: pair.l1 }))),
        );
        return configuredPage(
          permitted,
          ({ bridgeId }) => bridgeId,
          query,
          (bridge) => bridgeView(bridge, known),
        );
      },
    },
  ];
}

function networksOf({ l1, l2 }: Bridge): readonly GuardedResource[] {
  return [l1, l2].map(({ dlt, networkId }) => ({ kind: 'network', key: `${dlt}/${networkId}` }));
}

function placeOf({ dlt, networkId }: BridgeSide) {
  return { dlt, networkId };
}

function bridgeView(bridge: Bridge, known: KnownTokens): BodyOf<typeof bridgeRecord> {
  const { bridgeId, name, l1, l2, confirmations, tokens } = bridge;
  const source = { ...placeOf(l1), side: 'l1' } as const;
  return {
    ...{ bridgeId, name, confirmations },
    l1: { ...placeOf(l1), chainId: l1.chainId },
    l2: { ...placeOf(l2), chainId: l2.chainId },
    tokens: [undefined, ...tokens].map((pair) => bridgedTokenView(pair, source, known)),
  };
}
