/** The routes of stakes: each parses, calls one function, and shapes the reply (contract/stakes). */

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
          "What the caller's linked wallets have staked and earned in the staking contracts of this gateway, read from each chain at one block. Only positions above zero; the most recently linked wallet first. A contract that fails or returns no number is listed under `unreadable` and does not affect others. A network that cannot be read is 502. Contracts that policies deny to the caller are omitted. A contract wallet has positions on its own chain only.",
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
        summary: 'Show a position',
        description:
          'Read from the chain. 404 while nothing is staked or earned; 502 when the contract fails or the network cannot be read.',
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
          'The transactions with which a linked wallet stakes, unstakes, claims or exits, in the order of sending. An approval of exactly the amount comes first when the allowance is too low. Checked against the chain: an amount of zero, or above the balance or stake, is 400 with the available amount; a refusal by the contract is 502 with its reason. The gateway has no wallet keys: the caller signs and sends.',
        tag,
        body: stakeTransactionInput,
        responses: [{ status: 200, description: 'The transactions to sign.', schema: preparedTransactions }],
        refusals: ['bad-request', 'denied', 'bad-gateway'],
      },
      handle: async ({ caller, body }) => okReply(await prepareStake(deps, caller, body)),
    },
  ];
}
