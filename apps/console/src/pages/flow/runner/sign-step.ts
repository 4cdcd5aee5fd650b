/** Signs a step's prepared transaction. Most wallets sign and send in one call; the signed transaction is then read back from the chain, where it is public. */
import { type WalletTransaction, walletTransaction } from '@flowgate/client/flow';
import type { JsonMembers } from '@flowgate/client/flow-wire';
import { askWallet, ensureAccount, ensureChain } from '../../../wallet/ask-wallet.ts';
import { type InjectedWallet, membersOf } from '../../../wallet/injected-wallet.ts';
import { WalletProblem } from '../../../wallet/wallet-problem.ts';
import { serializedOf } from './serialized-transaction.ts';

/** The transaction to sign, with signer and chain. */
export type ToSign = WalletTransaction & { readonly from: string; readonly chainId: string };

export type SignedByWallet = {
  /** Set after the wallet has sent the transaction. */
  readonly hash?: string;
  /** The signed transaction; absent when it could not be read back. */
  readonly raw?: string;
  /** The wallet changed the prepared transaction, for example its fees. */
  readonly isChanged?: true;
};

/** Undefined when signing would need guesses about missing members. */
export function toSign(transaction: JsonMembers): ToSign | undefined {
  try {
    const terms = walletTransaction(transaction);
    const { from, chainId } = terms;
    return from === undefined || chainId === undefined ? undefined : { ...terms, from, chainId };
  } catch {
    return undefined;
  }
}

/** The account has sent another transaction with this nonce. Signing again could move funds twice. */
export class NonceUsed extends Error {}

export type SignStepOptions = {
  readonly wallet: InjectedWallet;
  readonly terms: ToSign;
  /** The step accepts a signed transaction, so a wallet that signs without sending is tried first. */
  readonly wantsRaw: boolean;
  /** Stores the state before the wallet is asked, and again after it has sent. If the first call rejects, the wallet is not asked. */
  readonly keep: (values: SignedByWallet & { readonly isAsked: true }) => Promise<void>;
};

/** Throws `WalletProblem` and `NonceUsed`. */
export async function signStep({ wallet, terms, wantsRaw, keep }: SignStepOptions): Promise<SignedByWallet> {
  await ensureAccount(wallet, terms.from);
  await ensureChain(wallet, Number(terms.chainId));
  await refuseUsedNonce(wallet, terms);
  await keep({ isAsked: true });
  const raw = wantsRaw ? await signedOnly(wallet, terms) : undefined;
  if (raw !== undefined) return { raw };
  const hash = await askWallet(wallet, 'eth_sendTransaction', [terms]);
  if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash))
    throw new WalletProblem('failed', `${wallet.name} did not return a transaction hash.`);
  await keep({ isAsked: true, hash });
  return { hash, ...(await readBack(wallet, hash, terms)) };
}

async function refuseUsedNonce(wallet: InjectedWallet, { from, nonce }: ToSign): Promise<void> {
  if (nonce === undefined) return;
  const next = await askWallet(wallet, 'eth_getTransactionCount', [from, 'pending']);
  if (typeof next === 'string' && Number(next) > Number(nonce)) throw new NonceUsed();
}

/** Undefined when the wallet does not support it; nothing was signed then. */
async function signedOnly(wallet: InjectedWallet, terms: ToSign): Promise<string | undefined> {
  try {
    const answer = await askWallet(wallet, 'eth_signTransaction', [terms]);
    const raw = typeof answer === 'string' ? answer : membersOf(answer)['raw'];
    return typeof raw === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(raw) ? raw : undefined;
  } catch (error) {
    // Wallets report missing support in many ways; a refusal by the user has one code.
    if (error instanceof WalletProblem && (error.kind === 'unsupported' || error.kind === 'failed')) return undefined;
    throw error;
  }
}

const everyMs = 400;
const attempts = 25;

/** Polls, because a node may see the transaction a moment later. */
export async function readBack(wallet: InjectedWallet, hash: string, terms: ToSign): Promise<SignedByWallet> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = await askWallet(wallet, 'eth_getTransactionByHash', [hash]).catch(() => undefined);
    if (typeof found === 'object' && found !== null) {
      const raw = await serializedOf(membersOf(found), hash);
      return { ...(raw !== undefined && { raw }), ...(!isAsPrepared(membersOf(found), terms) && { isChanged: true }) };
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return {};
}

const compared = ['nonce', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas', 'value'] as const;

function isAsPrepared(found: JsonMembers, terms: ToSign): boolean {
  const isSame = (one: unknown, other: string | undefined) =>
    other === undefined || (typeof one === 'string' && /^0x[0-9a-f]+$/i.test(one) && BigInt(one) === BigInt(other));
  const isAlike = (one: unknown, other: string | undefined) =>
    (typeof one === 'string' ? one.toLowerCase() : undefined) === other?.toLowerCase();
  return (
    compared.every((name) => isSame(found[name], terms[name])) &&
    isAlike(found['to'] ?? undefined, terms.to) &&
    isAlike(found['input'] ?? '0x', terms.data ?? '0x')
  );
}
