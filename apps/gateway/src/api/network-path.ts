/** The path parameters that name a ledger, a network and a node (contract/networks). */

import { identifier } from '@flowgate/body-schema/body-members';
import type { PathParameterDoc } from './route.ts';

export const networkPath = {
  dlt: { description: 'The ledger, as in `GET /dlts`.', schema: identifier, example: 'ethereum' },
  networkId: { description: 'The network, as in `GET /networks`.', schema: identifier, example: 'dev' },
  nodeId: { description: 'The node.', schema: identifier, example: 'dev-1' },
} as const satisfies Readonly<Record<string, PathParameterDoc>>;
