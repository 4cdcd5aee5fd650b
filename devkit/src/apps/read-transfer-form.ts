/** Reads the requested transfer from the form's fields, and reports each problem at its field. */
import { type Address, erc20Abi, formatUnits, isAddressEqual, zeroAddress } from 'viem';
import { type BridgePlace, l1BlockContract, l2Bridge, l2Messenger, l2ToL1MessagePasser } from './bridge-place.ts';
import type { Transfer } from './bridge-transfer.ts';
import { decimalUnits } from './decimal-units.ts';
import { addressOf, type Submission, textOf } from './sample-app.ts';

export type FieldProblem = { readonly fieldId?: string; readonly message: string };

export type TransferForm =
  | { readonly ok: true; readonly transfer: Transfer }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export async function readTransferForm(place: BridgePlace, submission: Submission): Promise<TransferForm> {
  const direction = textOf(submission, 'direction') === 'withdrawal' ? 'withdrawal' : 'deposit';
  const asset = textOf(submission, 'asset') === 'token' ? 'token' : 'ether';
  const { symbol, decimals } = asset === 'token' ? await place.tokenFacts() : { symbol: 'ETH', decimals: 18 };
  const amount = textOf(submission, 'amount');
  const units = decimalUnits(amount, decimals);
  const from = addressOf(submission, 'wallet');
  const to = textOf(submission, 'recipient') === '' ? from : addressOf(submission, 'recipient');
  const problems: FieldProblem[] = [];
  if (units === undefined || units === 0n)
    problems.push({
      fieldId: 'amount',
      message: `Enter an amount above zero with at most ${decimals} decimal places.`,
    });
  if (from === undefined) problems.push({ fieldId: 'wallet', message: 'This is not an address.' });
  else if (await isContract(place, direction, from))
    problems.push({ fieldId: 'wallet', message: 'This is a contract: it cannot sign a transaction.' });
  const isNamed = textOf(submission, 'recipient') !== '';
  if (isNamed && to === undefined) problems.push({ fieldId: 'recipient', message: 'This is not an address.' });
  if (isNamed && to !== undefined && isOfBridge(place, to))
    problems.push({ fieldId: 'recipient', message: 'An amount sent to this address would be lost.' });
  if (problems.length > 0 || units === undefined || from === undefined || to === undefined)
    return { ok: false, problems };
  const transfer: Transfer = { direction, asset, amount, units: String(units), symbol, from, to };
  const balance = await balanceOf(place, transfer);
  if (units > balance)
    return {
      ok: false,
      problems: [{ fieldId: 'amount', message: `The balance is ${formatUnits(balance, decimals)}.` }],
    };
  return { ok: true, transfer };
}

async function isContract(place: BridgePlace, direction: Transfer['direction'], address: Address): Promise<boolean> {
  const code = await place[direction === 'deposit' ? 'l1' : 'l2'].getCode({ address });
  // An account that delegates to a contract still has its key (EIP-7702).
  return code !== undefined && !code.startsWith('0xef0100');
}

/** The zero address, and contracts from which an amount cannot be recovered. */
function isOfBridge({ contracts }: BridgePlace, address: Address): boolean {
  const predeploys = [l2Bridge, l2Messenger, l2ToL1MessagePasser, l1BlockContract];
  return [zeroAddress, ...predeploys, ...Object.values(contracts)].some((each) => isAddressEqual(each, address));
}

async function balanceOf(place: BridgePlace, { direction, asset, from }: Transfer): Promise<bigint> {
  const isDeposit = direction === 'deposit';
  const chain = isDeposit ? place.l1 : place.l2;
  if (asset === 'ether') return await chain.getBalance({ address: from });
  const address = isDeposit ? place.contracts.l1Token : place.contracts.l2Token;
  return await chain.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [from] });
}
