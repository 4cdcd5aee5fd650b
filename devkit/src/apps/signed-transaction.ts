/** The last part of prepare, sign, execute: checks that the wallet signed what was prepared, and sends it with one effect. */
import {
  BaseError,
  type Hex,
  keccak256,
  type PublicClient,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionReceipt,
  WaitForTransactionReceiptTimeoutError,
} from 'viem';
import { isRefusalOfChain, type PreparedTransaction, type Problem, unsigned } from './prepared-transaction.ts';

export type Signed = { readonly ok: true; readonly raw: Hex; readonly hash: Hex };

/** Less than the time that a gateway waits for an app by default. */
const receiptTimeoutMs = 3_000;

/** Refuses a text that is no transaction, another transaction than the prepared one, and one that somebody else signed. */
export async function checkSigned(value: unknown, prepared: PreparedTransaction): Promise<Signed | Problem> {
  const raw = typeof value === 'string' ? value.toLowerCase() : '';
  if (!isSerialized(raw))
    return { ok: false, message: 'A signed EIP-1559 transaction is wanted: hexadecimal digits that begin with 0x02.' };
  const signer = await signerOf(raw, prepared);
  if (signer === undefined) return { ok: false, message: 'This is not the transaction that was prepared.' };
  if (signer.toLowerCase() !== prepared.from.toLowerCase())
    return { ok: false, message: `This was signed by ${signer}, not by ${prepared.from}.` };
  return { ok: true, raw, hash: keccak256(raw) };
}

function isSerialized(text: string): text is `0x02${string}` {
  return /^0x02([0-9a-f]{2})+$/.test(text);
}

/** Undefined unless every member except the signature is as prepared; both are compared as the chain would read them. */
async function signerOf(raw: `0x02${string}`, prepared: PreparedTransaction): Promise<string | undefined> {
  try {
    const { r: _r, s: _s, v: _v, yParity: _yParity, ...rest } = parseTransaction(raw);
    if (serializeTransaction(rest) !== serializeTransaction(unsigned(prepared))) return undefined;
    return await recoverTransactionAddress({ serializedTransaction: raw });
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}

/** Sends it. The hash identifies the transaction and a nonce is used once: however often this runs, the chain executes it once. */
export async function sendOnce(chain: PublicClient, { raw, hash }: Signed): Promise<{ readonly ok: true } | Problem> {
  try {
    await chain.sendRawTransaction({ serializedTransaction: raw });
    return { ok: true };
  } catch (error) {
    if (!isRefusalOfChain(error)) throw error;
    // An earlier attempt has sent it and lost the answer: the chain refuses the copy but knows the hash.
    if (await isKnown(chain, hash)) return { ok: true };
    return {
      ok: false,
      message: 'The chain refused it, perhaps since its nonce was used meanwhile. Prepare it again.',
    };
  }
}

/** Waits a little; `undefined` while no block contains it. */
export async function receiptOf(chain: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs, checkReplacement: false });
  } catch (error) {
    if (error instanceof WaitForTransactionReceiptTimeoutError) return undefined;
    throw error;
  }
}

/** Does not wait: `undefined` while no block contains it. */
export async function minedReceipt(chain: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError') return undefined;
    throw error;
  }
}

/** Whether the node has the transaction, in a block or not. */
export async function isKnown(chain: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await chain.getTransaction({ hash });
    return true;
  } catch (error) {
    if (error instanceof BaseError && error.name === 'TransactionNotFoundError') return false;
    throw error;
  }
}
