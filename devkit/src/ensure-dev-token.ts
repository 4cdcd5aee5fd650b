/** The development dollar of one installation: deployed and minted once for each chain, and reused while the chain exists. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type Address, getAddress, isAddress } from 'viem';
import { devTokenAbi } from './contracts/dev-token-code.ts';
import { clientsOf, deployDevToken, devAccount, devTokenDomain, fundDevToken } from './dev-token.ts';

/** Each account that users and examples use; 8 is the facilitator's, 9 mints. */
const fundedAccounts = [0, 1, 2, 3, 4, 5, 6, 7];

/** 10,000 dollars for each account. */
const funds = 10_000_000_000n;

/** The address in `file`, if the chain has the token there; otherwise deploys the token and writes its address. */
export async function ensureDevToken(rpcUrl: string, file: string): Promise<Address> {
  const stored = readAddress(file);
  if (stored !== undefined && (await isDevToken(rpcUrl, stored))) return stored;
  const token = getAddress(await deployDevToken({ rpcUrl }));
  for (const index of fundedAccounts) await fundDevToken({ rpcUrl, token }, devAccount(index).address, funds);
  writeFileSync(file, `${token}\n`);
  return token;
}

function readAddress(file: string): Address | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return isAddress(text) ? text : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function isDevToken(rpcUrl: string, address: Address): Promise<boolean> {
  const { reader } = await clientsOf(rpcUrl, 0);
  if ((await reader.getCode({ address })) === undefined) return false;
  const name = reader.readContract({ address, abi: devTokenAbi, functionName: 'name' });
  return (await name.catch(() => undefined)) === devTokenDomain.name;
}
