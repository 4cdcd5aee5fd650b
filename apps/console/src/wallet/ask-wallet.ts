/** Wallet requests: accounts, chain, signatures and transactions. Each throws `WalletProblem`. */
import type { PreparedTransaction } from '@flowgate/client';
import type { InjectedWallet } from './injected-wallet.ts';
import { membersOf } from './injected-wallet.ts';
import { WalletProblem, walletProblemOf } from './wallet-problem.ts';

export async function askWallet(
  wallet: InjectedWallet,
  method: string,
  params: readonly unknown[] = [],
): Promise<unknown> {
  try {
    return await wallet.provider.request({ method, params });
  } catch (error) {
    throw walletProblemOf(error, wallet.name);
  }
}

/** `eth_requestAccounts` prompts the user; `eth_accounts` returns accounts that were already allowed. */
export async function accountsOf(
  wallet: InjectedWallet,
  method: 'eth_requestAccounts' | 'eth_accounts',
): Promise<readonly string[]> {
  return addressesIn(await askWallet(wallet, method));
}

/** Prompts the user to choose accounts again. */
export async function chooseAccounts(wallet: InjectedWallet): Promise<readonly string[]> {
  await askWallet(wallet, 'wallet_requestPermissions', [{ eth_accounts: {} }]);
  return accountsOf(wallet, 'eth_accounts');
}

export async function chainOf(wallet: InjectedWallet): Promise<number> {
  return Number(await askWallet(wallet, 'eth_chainId'));
}

/** Switches the wallet to the chain. Throws kind `unknown-chain` when the wallet does not know it. */
export async function ensureChain(wallet: InjectedWallet, chainId: number): Promise<void> {
  if ((await chainOf(wallet)) === chainId) return;
  await askWallet(wallet, 'wallet_switchEthereumChain', [{ chainId: hex(chainId) }]);
  if ((await chainOf(wallet)) !== chainId)
    throw new WalletProblem('other-chain', `${wallet.name} is still on another chain. Switch it to chain ${chainId}.`);
}

export type ChainToAdd = { readonly chainId: number; readonly name: string; readonly rpcUrl: string };

export async function addChain(wallet: InjectedWallet, { chainId, name, rpcUrl }: ChainToAdd): Promise<void> {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 };
  const chain = { chainId: hex(chainId), chainName: name, rpcUrls: [rpcUrl], nativeCurrency };
  await askWallet(wallet, 'wallet_addEthereumChain', [chain]);
  await ensureChain(wallet, chainId);
}

/** Throws unless the wallet offers the account. */
export async function ensureAccount(wallet: InjectedWallet, address: string): Promise<void> {
  const accounts = await accountsOf(wallet, 'eth_requestAccounts');
  if (accounts.some((each) => isSameAddress(each, address))) return;
  throw new WalletProblem('other-account', `${wallet.name} is using another account. Select ${address} in the wallet.`);
}

/** Signs a text (EIP-191). */
export async function signMessage(wallet: InjectedWallet, address: string, message: string): Promise<string> {
  await ensureAccount(wallet, address);
  const bytes = new TextEncoder().encode(message);
  const text = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
  return textFrom(wallet, await askWallet(wallet, 'personal_sign', [text, address]));
}

/** Signs typed data (EIP-712). Wallets refuse a foreign `domain.chainId`; pass it to switch the chain first. */
export async function signTypedData(
  wallet: InjectedWallet,
  address: string,
  typedData: object,
  chainId?: number,
): Promise<string> {
  await ensureAccount(wallet, address);
  if (chainId !== undefined) await ensureChain(wallet, chainId);
  return textFrom(wallet, await askWallet(wallet, 'eth_signTypedData_v4', [address, JSON.stringify(typedData)]));
}

/** Has the wallet sign and send a prepared transaction from its account on its chain. Returns the hash. After `signal` is aborted, the wallet is not asked again. */
export async function sendPrepared(
  wallet: InjectedWallet,
  prepared: PreparedTransaction,
  signal?: AbortSignal,
): Promise<string> {
  const { chainId, from, to, data, value, gas } = prepared;
  await ensureAccount(wallet, from);
  await ensureChain(wallet, chainId);
  signal?.throwIfAborted();
  const terms = { from, to, data, value: hex(BigInt(value)), gas: hex(BigInt(gas)), chainId: hex(chainId) };
  try {
    return textFrom(wallet, await askWallet(wallet, 'eth_sendTransaction', [terms]));
  } catch (error) {
    const { kind, message } = walletProblemOf(error, wallet.name);
    if (kind !== 'failed' && kind !== 'away') throw error;
    throw new WalletProblem(
      kind,
      `${message} It may have been sent. Check the wallet’s activity before you sign again.`,
    );
  }
}

/** Undefined until a block of the wallet's chain includes the transaction. */
export async function outcomeOf(wallet: InjectedWallet, hash: string): Promise<'success' | 'reverted' | undefined> {
  const { status, blockNumber } = membersOf(await askWallet(wallet, 'eth_getTransactionReceipt', [hash]));
  if (blockNumber === undefined || blockNumber === null) return undefined;
  return status === '0x0' ? 'reverted' : 'success';
}

/** Calls a contract at the head of the wallet's chain; returns hexadecimal. */
export async function callContract(wallet: InjectedWallet, to: string, data: string): Promise<string> {
  return textFrom(wallet, await askWallet(wallet, 'eth_call', [{ to, data }, 'latest']));
}

export const isSameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

function textFrom(wallet: InjectedWallet, answer: unknown): string {
  if (typeof answer === 'string' && answer.startsWith('0x')) return answer;
  throw new WalletProblem('failed', `${wallet.name} returned an unexpected response.`);
}

export function addressesIn(answer: unknown): readonly string[] {
  return Array.isArray(answer)
    ? answer.filter((each) => typeof each === 'string' && /^0x[0-9a-f]{40}$/i.test(each))
    : [];
}
