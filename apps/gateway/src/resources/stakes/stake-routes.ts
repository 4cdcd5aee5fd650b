/** The routes of positions in staking contracts: parse, call one use, shape the reply (contract/stakes). */

import { pageQuery } from '../../api/page-query.ts';
import { okReply } from '../../api/reply-of.ts';
import type { CallerRoute } from '../../api/route.ts';
import { preparedTransactions } from '../../prepared/prepared-transactions.ts';
import { findStake, listStakes, type StakeDeps } from './list-stakes.ts';
import { prepareStake } from './prepare-stake.ts';
import { stake, stakePage, stakePath, stakeTransactionInput } from './stake-wire.ts';

const tag = 'Stakes';

export function stakeRoutes(deps: StakeDeps): readonly CallerRoute[] {
  return [
    {
      method: 'GET',
      path: '/stakes',
      accessLevel: 'caller',
      doc: {
        summary: 'List positions',
        description:
          "What the caller's linked wallets have staked and earned in the staking contracts of this gateway, read from each chain at one block. Only where one of both is above zero; of the wallet that was linked last first. A contract that fails, or answers no number, is named under `unreadable` and hides no other; a network that cannot be asked is 502. Contracts that policies deny the caller are left out. A contract wallet has positions on its own chain only.",
        tag,
        query: pageQuery(20),
        responses: [{ status: 200, description: 'A page of positions.', schema: stakePage }],
        refusals: ['bad-request', 'bad-gateway'],
      },
      handle: async ({ caller, query }) => okReply(await listStakes(deps, caller, query)),
    },
    {
      method: 'GET',
      path: '/stakes/{stakeId}',
      accessLevel: 'caller',
      doc: {
        summary: 'Look at a position',
        description:
          'Read from the chain. 404 while nothing is staked or earned; 502 when the contract fails or the network cannot be asked.',
        tag,
        path: stakePath,
        responses: [{ status: 200, description: 'The position.', schema: stake }],
        refusals: ['denied', 'not-found', 'bad-gateway'],
      },
      handle: async ({ caller, params }) => okReply(await findStake(deps, caller, params['stakeId'] ?? '')),
    },
    {
      method: 'POST',
      path: '/stakes/transactions',
      accessLevel: 'caller',
      doc: {
        summary: 'Prepare transactions',
        description:
          'The transactions by which a linked wallet stakes, unstakes, claims or leaves with everything, in the order in which they are to be sent; an approval of exactly the amount first, where the contract may not take enough yet. Checked against the chain: an amount of zero, or of more than the wallet has or has staked, is 400 and says how much there is; what the contract refuses is 502 with its reason. The gateway has no wallet keys: the caller signs and sends.',
        tag,
        body: stakeTransactionInput,
        responses: [{ status: 200, description: 'What is to be signed.', schema: preparedTransactions }],
        refusals: ['bad-request', 'denied', 'bad-gateway'],
      },
      handle: async ({ caller, body }) => okReply(await prepareStake(deps, caller, body)),
    },
  ];
}
