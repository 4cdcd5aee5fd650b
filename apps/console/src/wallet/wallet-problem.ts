/** Translates wallet errors into texts for users (EIP-1193, EIP-1474, EIP-3085, EIP-3326). */
import { membersOf } from './injected-wallet.ts';

export type WalletProblemKind =
  | 'refused'
  | 'unknown-chain'
  | 'other-account'
  | 'other-chain'
  | 'waiting'
  | 'unsupported'
  | 'away'
  | 'failed';

export class WalletProblem extends Error {
  override name = 'WalletProblem';
  readonly kind: WalletProblemKind;

  constructor(kind: WalletProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

const maxMessageLength = 300;

/** `error` is the rejection of the wallet's `request`. */
export function walletProblemOf(error: unknown, walletName: string): WalletProblem {
  if (error instanceof WalletProblem) return error;
  const codes = codesOf(error);
  const has = (...wanted: readonly number[]) => wanted.some((code) => codes.includes(code));
  if (has(4001)) return new WalletProblem('refused', `You rejected the request in ${walletName}. Nothing was signed.`);
  if (has(4902)) return new WalletProblem('unknown-chain', `${walletName} does not know this chain.`);
  if (has(4100))
    return new WalletProblem(
      'other-account',
      `${walletName} has not shared this account with the console. Select it in the wallet.`,
    );
  if (has(-32002))
    return new WalletProblem('waiting', `${walletName} has a pending request. Open the wallet to answer it.`);
  if (has(4200, -32601)) return new WalletProblem('unsupported', `${walletName} does not support this request.`);
  if (has(4900, 4901)) return new WalletProblem('away', `${walletName} is disconnected. Open it, then try again.`);
  const message = messageOf(error);
  return new WalletProblem(
    'failed',
    message === '' ? `${walletName} failed without an error message. Try again.` : message,
  );
}

/** Wallets nest the most specific code. */
function codesOf(error: unknown): readonly unknown[] {
  const { code, data, cause } = membersOf(error);
  return [code, membersOf(membersOf(data)['originalError'])['code'], membersOf(data)['code'], membersOf(cause)['code']];
}

function messageOf(error: unknown): string {
  const { message } = membersOf(error);
  const text = typeof message === 'string' ? message : typeof error === 'string' ? error : '';
  return text.length > maxMessageLength ? `${text.slice(0, maxMessageLength)}…` : text;
}
