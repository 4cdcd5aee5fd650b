/** Sends prepared transactions through the wallet one by one; each must be in a block before the next. No transaction is requested twice. */
import type { PreparedTransaction } from '@flowgate/client';
import { useEffect, useRef, useState } from 'react';
import { outcomeOf, sendPrepared } from './ask-wallet.ts';
import type { InjectedWallet } from './injected-wallet.ts';
import { WalletProblem } from './wallet-problem.ts';

export type SigningPhase =
  /** Waiting for the user to start the next transaction. */
  | 'ready'
  /** The wallet is asking the user. */
  | 'in-wallet'
  /** Sent, but not in a block yet. */
  | 'sent'
  | 'done';

export type Signing = {
  readonly phase: SigningPhase;
  /** Hashes of the sent transactions, in order. */
  readonly hashes: readonly string[];
  readonly error: unknown;
  readonly sign: (wallet: InjectedWallet) => void;
  /** Skips waiting for the block, for example when the user sped up the transaction and its hash changed. */
  readonly skipWait: () => void;
};

const everyMs = 1_000;
const slowestMs = 5_000;

export function useSigning(
  transactions: readonly PreparedTransaction[],
  onDone: (hashes: readonly string[]) => void,
): Signing {
  const [state, setState] = useState<{ phase: SigningPhase; hashes: readonly string[]; error: unknown }>({
    ...{ phase: transactions.length === 0 ? 'done' : 'ready', hashes: [], error: undefined },
  });
  const waiting = useRef(new AbortController());
  /** A ref changes synchronously: a stale callback must not request the same signature twice. */
  const isSigning = useRef(false);
  const sentUpTo = useRef(0);
  /** After the dialog closes, no further requests go to the wallet. */
  const closing = useRef(new AbortController());
  useEffect(() => {
    closing.current = new AbortController();
    return () => closing.current.abort();
  }, []);

  async function signFrom(wallet: InjectedWallet, at: number, sent: readonly string[]): Promise<void> {
    const next = transactions[at];
    if (next === undefined) {
      setState({ phase: 'done', hashes: sent, error: undefined });
      return onDone(sent);
    }
    setState({ phase: 'in-wallet', hashes: sent, error: undefined });
    let hashes = sent;
    try {
      hashes = [...sent, await sendPrepared(wallet, next, closing.current.signal)];
      sentUpTo.current = hashes.length;
      setState({ phase: 'sent', hashes, error: undefined });
      waiting.current = new AbortController();
      const signal = AbortSignal.any([waiting.current.signal, closing.current.signal]);
      if ((await untilMined(wallet, hashes[at] ?? '', signal)) === 'reverted')
        throw new WalletProblem('failed', `“${next.description}” reverted on the chain. Only gas was spent.`);
    } catch (error) {
      // A reverted transaction is not sent again unchanged: the gateway must prepare it again.
      return setState({ phase: hashes === sent ? 'ready' : 'done', hashes, error });
    }
    if (!closing.current.signal.aborted) await signFrom(wallet, at + 1, hashes);
  }

  return {
    ...state,
    sign: (wallet) => {
      if (isSigning.current || state.phase !== 'ready' || state.hashes.length !== sentUpTo.current) return;
      isSigning.current = true;
      void signFrom(wallet, state.hashes.length, state.hashes).finally(() => {
        isSigning.current = false;
      });
    },
    skipWait: () => waiting.current.abort(),
  };
}

/** Undefined when the wait was aborted. Read errors are retried. */
async function untilMined(
  wallet: InjectedWallet,
  hash: string,
  signal: AbortSignal,
): Promise<'success' | 'reverted' | undefined> {
  for (let waitMs = everyMs; !signal.aborted; waitMs = Math.min(waitMs * 1.25, slowestMs)) {
    const outcome = await outcomeOf(wallet, hash).catch(() => undefined);
    if (outcome !== undefined) return outcome;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
  return undefined;
}
