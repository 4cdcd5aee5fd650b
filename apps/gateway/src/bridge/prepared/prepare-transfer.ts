/** Prepares the transactions with which a wallet deposits or withdraws, checked against the chain (contract/transfers#deposits-and-withdrawals). The gateway signs and sends nothing. */

import { refused } from '@flowgate/base/result';
import { refusedForOne } from '@flowgate/body-schema/body-problems';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { l2Contracts } from '@flowgate/chain/blocks/bridge-log';
import type { Caller } from '../../api/caller.ts';
import type { Firewall } from '../../api/firewall.ts';
import { permittedOn } from '../../prepared/permitted-on.ts';
import { networkAway } from '../../prepared/prepare-plan.ts';
import type { FindTokenFacts } from '../../prepared/token-facts.ts';
import { viewChain } from '../../prepared/view-chain.ts';
import type { Bridge } from '../bridges/bridge.ts';
import { type BridgeWallet, countsOn, type WalletsOf } from '../bridges/bridge-wallet.ts';
import type { TokenStore } from '../tokens/token-store.ts';
import { bridgeTransferInput } from './bridge-transfer-input.ts';
import { pairNamed } from './token-of-bridge.ts';
import { type Crossing, type PreparedTransfer, transferEther, transferToken } from './transfer-plans.ts';

export type TransferDeps = {
  readonly bridges: readonly Bridge[];
  readonly firewall: Firewall;
  readonly walletsOf: WalletsOf;
  readonly tokenFacts: FindTokenFacts;
  readonly tokens: Pick<TokenStore, 'pairOfL1' | 'pairOfL2'>;
};

const balanceOfSelector = '0x70a08231';
/** `bridgeETHTo`: a caller that a policy denies this call does not learn what it would take. */
const bridgeEtherSelector = '0xe11013dd';

/** `source`: the sending side. Throws `Unavailable` when the storage cannot be read. */
export async function prepareTransfer(
  deps: TransferDeps,
  caller: Caller,
  source: 'l1' | 'l2',
  body: unknown,
): Promise<PreparedTransfer> {
  const input = checkedBody(bridgeTransferInput.schema(), body);
  if (!input.ok) return input;
  const { bridgeId, token } = input.value;
  const bridge = deps.bridges.find((each) => each.bridgeId === bridgeId);
  if (bridge === undefined) return refusedForOne('bridgeId is not that of a bridge of this gateway');
  const side = bridge[source];
  const address = input.value.wallet.toLowerCase();
  const wallet = (await deps.walletsOf(caller.userId)).find((each) => each.address === address);
  if (wallet === undefined) return refused('not-found', 'You have not linked this wallet.');
  if (!countsOn(wallet, side)) return refusedForOne('wallet is a contract wallet of another chain');
  const known = token === 'native' ? undefined : await pairNamed(bridge, deps.tokens, source, token.toLowerCase());
  if (token !== 'native' && known === undefined)
    return refusedForOne('token is not one that this bridge is known to carry');
  const to = receiverOf(wallet, input.value.to);
  const problem = receiverProblem(bridge, to, known && [known.pair.l1, known.pair.l2]);
  if (to === undefined || problem !== undefined) return refusedForOne(problem ?? '');

  const permitted = await permittedOn(deps.firewall, caller, [side.network]);
  if (typeof permitted !== 'function') return permitted;
  const { mayBeCalled, mayBeSent, leftOut } = permitted(side.network);
  const contract = source === 'l1' ? bridge.contracts.l1StandardBridge : l2Contracts.standardBridge;
  const isPermitted =
    known === undefined
      ? mayBeCalled(contract, bridgeEtherSelector)
      : mayBeCalled(known.pair[source], balanceOfSelector);
  if (!isPermitted) return refused('denied');
  const view = await viewChain(side.network, caller.userId, leftOut);
  if (view === undefined) return networkAway(side.network);
  const crossing: Crossing = {
    ...{ bridge, source, wallet, to, contract, amount: BigInt(input.value.amount) },
    ...{ view, mayBeSent, userId: caller.userId, tokenFacts: deps.tokenFacts },
  };
  return known === undefined ? transferEther(crossing) : transferToken(crossing, known);
}

/** In lower case. Undefined for a contract wallet without `to`: its address may belong to another account on the other side. */
function receiverOf({ kind, address }: BridgeWallet, to: string | undefined): string | undefined {
  if (to !== undefined) return to.toLowerCase();
  return kind === 'account' ? address : undefined;
}

/** The addresses that every OP Stack chain reserves for its own contracts: 2,048 of them (specs.optimism.io, Predeploys). */
const predeploy = /^0x420{35}[0-7][0-9a-f]{2}$/;

/** What is sent to these contracts is lost, or cannot arrive at all. */
function receiverProblem(
  { contracts }: Bridge,
  to: string | undefined,
  tokens: readonly string[] = [],
): string | undefined {
  if (to === undefined)
    return 'to is required for a contract wallet: on the other side its address may belong to another account';
  if (/^0x0+$/.test(to)) return 'to is the zero address: what is sent there is lost';
  // The contracts of either side: on the other side no account can send from such an address.
  const ofBridge: readonly string[] = Object.values(contracts);
  return ofBridge.includes(to) || predeploy.test(to) || tokens.includes(to)
    ? 'to is a contract of the bridge or the token: what is sent there is lost'
    : undefined;
}
