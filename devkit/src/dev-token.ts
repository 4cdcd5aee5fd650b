/** The development dollar on a local chain: deployment, minting, balances. */
import {
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  type PublicClient,
  type WalletClient,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { devTokenAbi, devTokenBytecode } from './contracts/dev-token-code.ts';

/** The domain that an x402 client signs, without chain and address: `extra` of a payment requirement. */
export const devTokenDomain = { name: 'Flowgate Dev Dollar', version: '1' } as const;

export const devTokenDecimals = 6;

/** anvil's publicly known accounts: each has ether on a development chain. */
const mnemonic = 'test test test test test test test test test test test junk';

/** Deploys and mints: the last account, so that the first ones remain free for users. */
const minterIndex = 9;

export type DevTokenOptions = { readonly rpcUrl: string };

/** One of anvil's ten accounts, 0 to 9. Account 9 mints, account 8 belongs to the facilitator. */
export function devAccount(index: number) {
  return mnemonicToAccount(mnemonic, { addressIndex: index });
}

/** Deploys the token and waits. The first deployment of an account on a new chain always has the same address. */
export async function deployDevToken({ rpcUrl }: DevTokenOptions): Promise<Address> {
  const { reader, writer } = await clientsOf(rpcUrl, minterIndex);
  const account = devAccount(minterIndex);
  const hash = await writer.deployContract({
    abi: devTokenAbi,
    bytecode: devTokenBytecode,
    account,
    chain: writer.chain,
  });
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash });
  if (contractAddress === null || contractAddress === undefined)
    throw new Error('The development token has no address');
  return getAddress(contractAddress);
}

/** Mints `amount` base units to an account and waits. */
export async function fundDevToken(
  { rpcUrl, token }: DevTokenOptions & { readonly token: Address },
  to: Address,
  amount: bigint,
): Promise<void> {
  const { reader, writer } = await clientsOf(rpcUrl, minterIndex);
  const call = { address: token, abi: devTokenAbi, functionName: 'mint', args: [to, amount] } as const;
  const hash = await writer.writeContract({ ...call, account: devAccount(minterIndex), chain: writer.chain });
  const { status } = await reader.waitForTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('Minting the development token failed');
}

export async function devTokenBalance(
  { rpcUrl, token }: DevTokenOptions & { readonly token: Address },
  of: Address,
): Promise<bigint> {
  const { reader } = await clientsOf(rpcUrl, minterIndex);
  return await reader.readContract({ address: token, abi: devTokenAbi, functionName: 'balanceOf', args: [of] });
}

/** Whether the payer's authorization was used or canceled. */
export async function devTokenAuthorizationUsed(
  { rpcUrl, token }: DevTokenOptions & { readonly token: Address },
  authorizer: Address,
  nonce: Hex,
): Promise<boolean> {
  const { reader } = await clientsOf(rpcUrl, minterIndex);
  const call = { address: token, abi: devTokenAbi, functionName: 'authorizationState' } as const;
  return await reader.readContract({ ...call, args: [authorizer, nonce] });
}

export type ChainClients = { readonly reader: PublicClient; readonly writer: WalletClient; readonly chainId: number };

/** A viem reader and writer for one of anvil's accounts on a local chain. */
export async function clientsOf(rpcUrl: string, accountIndex: number): Promise<ChainClients> {
  const transport = http(rpcUrl, { retryCount: 0 });
  const chainId = await createPublicClient({ transport }).getChainId();
  const chain = defineChain({
    id: chainId,
    name: 'local',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  return {
    chainId,
    reader: createPublicClient({ chain, transport, pollingInterval: 50, cacheTime: 0 }),
    writer: createWalletClient({ account: devAccount(accountIndex), chain, transport }),
  };
}
