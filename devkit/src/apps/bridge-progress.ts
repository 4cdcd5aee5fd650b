/** What a deposit or a withdrawal waits for: the wallet, the chains, or nothing more. */
import { type Hex, keccak256 } from 'viem';
import { type BridgeCall, replayCall } from './bridge-calls.ts';
import { type BridgePlace, l2Messenger, messengerAbi, type Side } from './bridge-place.ts';

export type Progress = {
  /** In the words of the gateway's own records of deposits and withdrawals; `relay_failed` is a failure that can be mended here. */
  readonly status: string;
  /** For people: where it stands and what comes next. */
  readonly text: string;
  /** Further facts, for machines. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The wallet's turn; absent: somebody else's, or it is over. */
  readonly call?: BridgeCall;
  readonly isOver?: true;
};

export type Relay = 'relayed' | 'failed' | 'unseen';

/** What became of a message; its hash is that of the call that relays it. */
export async function relayOf(place: BridgePlace, side: Side, relay: Hex): Promise<Relay> {
  const address = side === 'l1' ? place.contracts.l1CrossDomainMessenger : l2Messenger;
  const read = (functionName: 'successfulMessages' | 'failedMessages') =>
    place[side].readContract({ address, abi: messengerAbi, functionName, args: [keccak256(relay)] });
  // A replay sets the first and leaves the second.
  if (await read('successfulMessages')) return 'relayed';
  return (await read('failedMessages')) ? 'failed' : 'unseen';
}

/** Nothing is lost: whoever pays for it may relay the message once more. */
export async function failedRelay(place: BridgePlace, side: Side, relay: Hex): Promise<Progress> {
  const said = `The amount arrived on ${side.toUpperCase()}, but the recipient did not take it. Nothing is lost: the messenger keeps it there.`;
  const call = await replayCall(place, side, relay);
  if (call !== undefined)
    return { status: 'relay_failed', call, text: `${said} The recipient would take it now: relay it once more.` };
  return {
    status: 'relay_failed',
    text: `${said} It would be refused again now. Look again when the recipient can take it; then it is relayed once more.`,
  };
}
