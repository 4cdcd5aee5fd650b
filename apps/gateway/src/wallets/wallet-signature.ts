/** Checks whether a wallet made a signature of a message. Loads viem, so import it only when it is needed (docs/decisions/0081). */

import { encodeDeployData, encodeFunctionData, hashMessage, recoverAddress } from 'viem/utils';
import type { Caller } from '../api/caller.ts';
import type { AskContract } from './contract-question.ts';
import type { WalletKind } from './wallet-store.ts';

type Hex = `0x${string}`;

export type SignedMessage = {
  readonly message: string;
  /** `0x` and an even number of hexadecimal digits. */
  readonly signature: string;
  /** In lower case. */
  readonly address: string;
  readonly chainId: number;
  readonly caller: Caller;
};

/**
 * `wrong`: the wallet has not signed this message. `unavailable`: a contract had to be asked, and no node answered. `denied`: policies do not permit the call.
 * `policies-unknown`: it is not known what policies permit.
 */
export type SignatureVerdict =
  | { readonly kind: WalletKind }
  | { readonly kind: 'wrong' | 'unavailable' | 'denied' | 'policies-unknown' };

/**
 * The gateway checks a key's signature itself, without a node. Any other signature may be a contract wallet's, so the contract is asked (EIP-1271). For a
 * wallet that is not deployed yet (EIP-6492), the wrapped signature runs together with the code that checks it, in one call that stores nothing.
 */
export async function checkSignature(signed: SignedMessage, ask: AskContract): Promise<SignatureVerdict> {
  const hash = hashMessage(signed.message);
  const signature = hexOf(signed.signature);
  if ((await signerOf(hash, signature))?.toLowerCase() === signed.address) return { kind: 'account' };
  const isWrapped = signature.endsWith(wrapperMark);
  const { chainId, caller, address: wallet } = signed;
  const answer = isWrapped
    ? await ask({ chainId, caller, wallet, data: await wrappedQuestion(wallet, hash, signature) })
    : await ask({ chainId, caller, wallet, to: wallet, data: question(hash, signature) });
  if (answer.kind !== 'returned' && answer.kind !== 'failed') return { kind: answer.kind };
  const isValid = answer.kind === 'returned' && answer.data.toLowerCase() === (isWrapped ? isTrue : isMagic);
  return { kind: isValid ? 'contract' : 'wrong' };
}

/** The last 32 bytes of a wrapped signature (EIP-6492). */
const wrapperMark = '6492'.repeat(16);
/** What a contract returns for a valid signature (EIP-1271): exactly one word. A contract that returns its input returns more. */
const isMagic = `0x1626ba7e${'0'.repeat(56)}`;
/** What the validator's code returns for a valid signature: one byte. */
const isTrue = '0x01';

const eip1271 = [
  {
    type: 'function',
    name: 'isValidSignature',
    stateMutability: 'view',
    inputs: [
      { name: 'hash', type: 'bytes32' },
      { name: 'signature', type: 'bytes' },
    ],
    outputs: [{ type: 'bytes4' }],
  },
] as const;

function question(hash: Hex, signature: Hex): Hex {
  return encodeFunctionData({ abi: eip1271, args: [hash, signature] });
}

/** Only viem's main module has the validator's code. */
async function wrappedQuestion(address: string, hash: Hex, signature: Hex): Promise<Hex> {
  const { erc6492SignatureValidatorByteCode: bytecode, universalSignatureValidatorAbi: abi } = await import('viem');
  return encodeDeployData({ abi, bytecode, args: [hexOf(address), hash, signature] });
}

/** `undefined` unless the bytes are a signature of 65 bytes, or of 64 in the compact form of EIP-2098. */
async function signerOf(hash: Hex, signature: Hex): Promise<string | undefined> {
  const bytes = (signature.length - 2) / 2;
  if (bytes !== 65 && bytes !== 64) return undefined;
  try {
    return await recoverAddress({ hash, signature: bytes === 65 ? signature : expanded(signature) });
  } catch {
    return undefined;
  }
}

/** EIP-2098 stores the parity in the first bit of the second half. */
function expanded(compact: Hex): Hex {
  const second = BigInt(`0x${compact.slice(66)}`);
  const s = second & (2n ** 255n - 1n);
  return `${hexOf(compact.slice(0, 66))}${s.toString(16).padStart(64, '0')}${second >> 255n === 0n ? '1b' : '1c'}`;
}

function hexOf(text: string): Hex {
  return `0x${text.slice(2)}`;
}
