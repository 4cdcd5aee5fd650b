/** What a deposit or a withdrawal waits for: the wallet, the chains, or nothing. */
import { type Hex, keccak256 } from 'viem';
import { type BridgeCall, replayCall } from './bridge-calls.ts';
import { type BridgePlace, l2Messenger, messengerAbi, type Side } from './bridge-place.ts';

export type Progress = {
  /** The statuses of the gateway's deposits and withdrawals; `relay_failed` is a failure that the app can fix. */
  readonly status: string;
  /** For the user: the current status and the next step. */
  readonly text: string;
  /** Additional facts for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** The wallet's next action; absent when another party must act or the transfer has ended. */
  readonly call?: BridgeCall;
  readonly isOver?: true;
};

export type Relay = 'relayed' | 'failed' | 'unseen';

/** The result of a message; the hash is that of its relaying transaction. */
export async function relayOf(place: BridgePlace, side: Side, relay: Hex): Promise<Relay> {
  const address = side === 'l1' ? place.contracts.l1CrossDomainMessenger : l2Messenger;
  const read = (functionName: 'successfulMessages' | 'failedMessages') =>
    place[side].readContract({ address, abi: messengerAbi, functionName, args: [keccak256(relay)] });
  // A replay sets the first flag and leaves the second one.
  if (await read('successfulMessages')) return 'relayed';
  return (await read('failedMessages')) ? 'failed' : 'unseen';
}

/** The amount is not lost: any account may pay for relaying the message again. */
export async function failedRelay(place: BridgePlace, side: Side, relay: Hex): Promise<Progress> {
  const said = `The amount arrived on ${side.toUpperCase()}, but the recipient did not take it. Nothing is lost: the messenger stores it there.`;
  const call = await replayCall(place, side, relay);
  if (call !== undefined)
    return { status: 'relay_failed', call, text: `${said} The recipient would accept it now: relay it again.` };
  return {
    status: 'relay_failed',
    text: `${said} It would be refused again now. Check again when the recipient can accept it; then relay it again.`,
  };
}
