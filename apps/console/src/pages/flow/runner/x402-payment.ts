/** Payments of steps by x402 version 2, scheme `exact`, with an EIP-3009 authorization: the wallet signs, the gateway has it settled (contract/payments). */
import type { JsonMembers } from '@flowgate/client/flow-wire';
import { askWallet, signTypedData } from '../../../wallet/ask-wallet.ts';
import type { InjectedWallet } from '../../../wallet/injected-wallet.ts';
import { type TokenWords, tokenWords, wordIn } from '../../../wallet/token-words.ts';

/** Payee, amount, token and chain of a payment. */
export type PaymentTerms = {
  readonly chainId: number;
  /** Address of the token's contract. */
  readonly asset: string;
  /** In the token's base units. */
  readonly amount: string;
  readonly payTo: string;
  /** Validity of the authorization. */
  readonly seconds: number;
  /** The token's EIP-712 domain. */
  readonly name: string;
  readonly version: string;
  /** The original offer, which is sent back with the payment. */
  readonly offer: JsonMembers;
};

const addressForm = /^0x[0-9a-f]{40}$/i;
const defaultSeconds = 300;
/** Limits how long a signed but unused authorization can be collected. */
const maxSeconds = 3_600;

/** Undefined for offers that a browser wallet cannot pay: other schemes, chain families, authorization types or versions. */
export function payable(offer: JsonMembers): PaymentTerms | undefined {
  const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = offer;
  const { name, version, assetTransferMethod } = membersIn(extra);
  const [, chain] = /^eip155:([1-9]\d{0,15})$/.exec(String(network)) ?? [];
  if (scheme !== 'exact' || chain === undefined) return undefined;
  if (assetTransferMethod !== undefined && assetTransferMethod !== 'eip3009') return undefined;
  if (!isAddress(asset) || !isAddress(payTo) || typeof amount !== 'string' || !/^\d{1,78}$/.test(amount))
    return undefined;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const seconds =
    typeof maxTimeoutSeconds === 'number' && maxTimeoutSeconds > 0
      ? Math.ceil(Math.min(maxTimeoutSeconds, maxSeconds))
      : defaultSeconds;
  return { chainId: Number(chain), asset, amount, payTo, seconds, name, version, offer };
}

/** Reported by the token itself, so none of it is proof. */
export type TokenFacts = TokenWords & { readonly balance: string };

/** The wallet must be on the token's chain. Undefined when the contract does not behave like a token. */
export async function tokenFacts(
  wallet: InjectedWallet,
  account: string,
  { asset }: PaymentTerms,
): Promise<TokenFacts | undefined> {
  const data = `0x70a08231${account.slice(2).toLowerCase().padStart(64, '0')}`;
  const [words, answer] = await Promise.all([
    tokenWords(wallet, asset),
    askWallet(wallet, 'eth_call', [{ to: asset, data }, 'latest']),
  ]);
  const balance = wordIn(answer);
  return words === undefined || balance === undefined ? undefined : { ...words, balance: String(balance) };
}

const authorization = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
];
const domainType = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];

/** Returns the payment header's value. It pays this payee at most once, no matter who submits it. Throws `WalletProblem`. */
export async function signPayment(
  wallet: InjectedWallet,
  account: string,
  terms: PaymentTerms,
  resource: unknown,
): Promise<string> {
  const { chainId, asset, amount, payTo, seconds, name, version, offer } = terms;
  const message = {
    ...{ from: account, to: payTo, value: amount, validAfter: '0' },
    validBefore: String(Math.floor(Date.now() / 1_000) + seconds),
    nonce: randomWord(),
  };
  const types = { EIP712Domain: domainType, TransferWithAuthorization: authorization };
  const domain = { name, version, chainId, verifyingContract: asset };
  const typedData = { types, primaryType: 'TransferWithAuthorization', domain, message };
  const signature = await signTypedData(wallet, account, typedData, chainId);
  const payment = {
    x402Version: 2,
    ...(resource !== undefined && { resource }),
    accepted: offer,
    payload: { signature, authorization: message },
  };
  return base64(JSON.stringify(payment));
}

function randomWord(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

function isAddress(value: unknown): value is string {
  return typeof value === 'string' && addressForm.test(value);
}

function membersIn(value: unknown): JsonMembers {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
