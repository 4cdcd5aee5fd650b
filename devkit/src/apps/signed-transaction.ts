/** Checks that the wallet signed the prepared transaction, and sends it so that the chain executes it once. */
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

/** Less than the gateway's default timeout for apps. */
const receiptTimeoutMs = 3_000;

/** Refuses a text that is not a transaction, a transaction other than the prepared one, and the signature of another account. */
export async function checkSigned(value: unknown, prepared: PreparedTransaction): Promise<Signed | Problem> {
  const raw = typeof value === 'string' ? value.toLowerCase() : '';
  if (!isSerialized(raw))
    return { ok: false, message: 'Enter a signed EIP-1559 transaction: hexadecimal digits that begin with 0x02.' };
  const signer = await signerOf(raw, prepared);
  if (signer === undefined) return { ok: false, message: 'This is not the transaction that was prepared.' };
  if (signer.toLowerCase() !== prepared.from.toLowerCase())
    return { ok: false, message: `This was signed by ${signer}, not by ${prepared.from}.` };
  return { ok: true, raw, hash: keccak256(raw) };
}

function isSerialized(text: string): text is `0x02${string}` {
  return /^0x02([0-9a-f]{2})+$/.test(text);
}

/** Undefined unless each member except the signature is as prepared. Both are compared in the form that the chain reads. */
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

/** Sends the transaction. Repeated calls are safe: the chain executes a nonce once, and the hash identifies the transaction. */
export async function sendOnce(chain: PublicClient, { raw, hash }: Signed): Promise<{ readonly ok: true } | Problem> {
  try {
    await chain.sendRawTransaction({ serializedTransaction: raw });
    return { ok: true };
  } catch (error) {
    if (!isRefusalOfChain(error)) throw error;
    // An earlier attempt sent it and lost the answer. The node refuses the copy but finds the hash.
    if (await isKnown(chain, hash)) return { ok: true };
    return {
      ok: false,
      message: 'The node refused the transaction; another transaction may have used its nonce. Prepare it again.',
    };
  }
}

/** Waits for a short time; `undefined` while no block contains the transaction. */
export async function receiptOf(chain: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.waitForTransactionReceipt({ hash, timeout: receiptTimeoutMs, checkReplacement: false });
  } catch (error) {
    if (error instanceof WaitForTransactionReceiptTimeoutError) return undefined;
    throw error;
  }
}

/** Looks once without waiting; `undefined` while no block contains the transaction. */
export async function minedReceipt(chain: PublicClient, hash: Hex): Promise<TransactionReceipt | undefined> {
  try {
    return await chain.getTransactionReceipt({ hash });
  } catch (error) {
    if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError') return undefined;
    throw error;
  }
}

/** Whether the node knows the transaction, mined or pending. */
export async function isKnown(chain: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await chain.getTransaction({ hash });
    return true;
  } catch (error) {
    if (error instanceof BaseError && error.name === 'TransactionNotFoundError') return false;
    throw error;
  }
}
