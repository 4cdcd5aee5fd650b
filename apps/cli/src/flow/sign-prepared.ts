/** Describes a prepared transaction to the user, and signs exactly it (contract/sessions#transactions). */

import { messageOf } from '@flowgate/base/text';
import type { JsonMembers } from '@flowgate/client';
import { type WalletTransaction, walletTransaction } from '@flowgate/client/flow';
import type { Hex, LocalAccount, TransactionSerializable } from 'viem';
import { CliProblem } from '../cli-problem.ts';

/** Throws `CliProblem` for a transaction of another account and for an incomplete one: no member is guessed. */
export async function signPrepared(account: LocalAccount, transaction: JsonMembers): Promise<string> {
  const wanted = read(transaction);
  if (wanted.from?.toLowerCase() !== account.address.toLowerCase())
    throw new CliProblem(
      'refused',
      `the app prepared this for ${wanted.from ?? 'no address'}, but the key file belongs to ${account.address}`,
    );
  return account.signTransaction(toSign(wanted));
}

/** Lines for the terminal. */
export function reportedTransaction(transaction: JsonMembers): readonly string[] {
  const { chainId, from, to, value, data, gas, maxFeePerGas, gasPrice, nonce } = read(transaction);
  const fee = BigInt(gas ?? 0) * BigInt(maxFeePerGas ?? gasPrice ?? 0);
  const bytes = data === undefined ? 0 : (data.length - 2) / 2;
  return [
    `chain   ${chainId === undefined ? 'none' : Number(chainId)}`,
    `from    ${from ?? 'no address'}, nonce ${nonce === undefined ? 'none' : Number(nonce)}`,
    `to      ${to ?? 'a new contract'}`,
    `value   ${inEther(BigInt(value ?? 0))}`,
    `fee     at most ${inEther(fee)}`,
    `data    ${bytes === 0 ? 'none' : `${bytes} bytes, ${shownData(data ?? '')}`}`,
  ];
}

/** The first arguments contain the recipient and the amount of a token transfer. */
const shownDigits = 2 + 8 + 16 * 64;

function shownData(data: string): string {
  return data.length <= shownDigits ? data : `${data.slice(0, shownDigits)}…`;
}

function read(transaction: JsonMembers): WalletTransaction {
  try {
    return walletTransaction(transaction);
  } catch (error) {
    throw new CliProblem('refused', messageOf(error));
  }
}

function toSign(wanted: WalletTransaction): TransactionSerializable {
  const number = (name: keyof WalletTransaction): bigint => {
    const value = wanted[name];
    if (value === undefined) throw new CliProblem('refused', `the prepared transaction has no ${name}`);
    return BigInt(value);
  };
  const hex = (value: string | undefined): Hex | undefined => (value === undefined ? undefined : `0x${value.slice(2)}`);
  const [to, data] = [hex(wanted.to), hex(wanted.data)];
  const whole = {
    chainId: Number(number('chainId')),
    nonce: Number(number('nonce')),
    gas: number('gas'),
    value: BigInt(wanted.value ?? 0),
    ...(to === undefined ? {} : { to }),
    ...(data === undefined ? {} : { data }),
  };
  if (wanted.gasPrice !== undefined) return { type: 'legacy', ...whole, gasPrice: number('gasPrice') };
  return {
    type: 'eip1559',
    ...whole,
    maxFeePerGas: number('maxFeePerGas'),
    maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
  };
}

function inEther(wei: bigint): string {
  const [whole, fraction] = [wei / 10n ** 18n, String(wei % 10n ** 18n).padStart(18, '0')];
  let end = fraction.length;
  while (end > 0 && fraction[end - 1] === '0') end -= 1;
  return end === 0 ? `${whole}` : `${whole}.${fraction.slice(0, end)}`;
}
