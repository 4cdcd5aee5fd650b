/** Reads tokens and staking contracts through the wallet's chain, for forms that run before the gateway knows a position. */
import { callContract, ensureChain } from './ask-wallet.ts';
import type { InjectedWallet } from './injected-wallet.ts';

const selectors = { decimals: '0x313ce567', stakingToken: '0x72f702f3' } as const;

/** Switches the wallet's chain if needed. Throws `WalletProblem`. Undefined when the token does not report its decimals. */
export async function readDecimals(
  wallet: InjectedWallet,
  chainId: number,
  token: string,
): Promise<number | undefined> {
  await ensureChain(wallet, chainId);
  const answer = await callContract(wallet, token, selectors.decimals);
  const decimals = /^0x[0-9a-f]{64}$/i.test(answer) ? Number(BigInt(answer)) : 256;
  return decimals <= 255 ? decimals : undefined;
}

/** Decimals of the staking contract's token. */
export async function readStakingDecimals(
  wallet: InjectedWallet,
  chainId: number,
  contract: string,
): Promise<number | undefined> {
  await ensureChain(wallet, chainId);
  const answer = await callContract(wallet, contract, selectors.stakingToken);
  return /^0x0{24}[0-9a-f]{40}$/i.test(answer) ? readDecimals(wallet, chainId, `0x${answer.slice(-40)}`) : undefined;
}
