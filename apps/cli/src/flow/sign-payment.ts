/** An x402 payment: the authorization of one transfer (EIP-3009), signed for exactly what a step requires (contract/payments). */

import type { RandomBytes } from '@flowgate/base/random';
import type { JsonMembers } from '@flowgate/client';
import { isJsonObject } from '@flowgate/json/json-object';
import type { Hex, LocalAccount } from 'viem';

/** A payment that this command can sign. */
export type PayableOffer = {
  readonly network: string;
  readonly chainId: number;
  readonly asset: Hex;
  /** In base units of the asset. */
  readonly amount: bigint;
  readonly payTo: Hex;
  readonly maxTimeoutSeconds: number;
  /** Name and version of the asset's signing domain (EIP-712), as the app states them. */
  readonly name: string;
  readonly version: string;
  /** The unchanged payment requirement. */
  readonly requirement: JsonMembers;
};

const address = /^0x[0-9a-fA-F]{40}$/;

/** The first requirement that can be paid: version 2, scheme `exact`, an EVM chain, EIP-3009. */
export function payableOffer(accepts: readonly JsonMembers[]): PayableOffer | undefined {
  for (const requirement of accepts) {
    const { scheme, network, asset, amount, payTo, maxTimeoutSeconds, extra } = requirement;
    const [, chain] = /^eip155:([1-9]\d{0,15})$/.exec(String(network)) ?? [];
    const { name, version, assetTransferMethod = 'eip3009' }: JsonMembers = isJsonObject(extra) ? extra : {};
    if (scheme !== 'exact' || chain === undefined || typeof network !== 'string' || assetTransferMethod !== 'eip3009')
      continue;
    if (!isAddress(asset) || !isAddress(payTo) || typeof amount !== 'string' || !/^\d{1,78}$/.test(amount)) continue;
    if (typeof name !== 'string' || typeof version !== 'string') continue;
    const seconds =
      typeof maxTimeoutSeconds === 'number' && maxTimeoutSeconds > 0 ? Math.min(maxTimeoutSeconds, maxSeconds) : 60;
    return {
      ...{ network, chainId: Number(chain), asset, amount: BigInt(amount), payTo, name, version, requirement },
      maxTimeoutSeconds: Math.ceil(seconds),
    };
  }
  return undefined;
}

/** A payee could use a longer authorization much later. */
const maxSeconds = 3_600;

function isAddress(value: unknown): value is Hex {
  return typeof value === 'string' && address.test(value);
}

const types = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export type PaymentDeps = {
  readonly account: LocalAccount;
  readonly randomBytes: RandomBytes;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The URL of the step. */
  readonly resourceUrl: string;
};

/** The value of the payment's header. The token moves when the gateway settles it, once, however often it is sent. */
export async function signPayment(
  offer: PayableOffer,
  { account, randomBytes, nowMs, resourceUrl }: PaymentDeps,
): Promise<string> {
  const { chainId, asset, amount, payTo, maxTimeoutSeconds, name, version, requirement } = offer;
  const validBefore = Math.floor(nowMs / 1000) + maxTimeoutSeconds;
  const nonce: Hex = `0x${randomBytes(32).toString('hex')}`;
  const { getAddress } = await import('viem');
  const [from, to] = [account.address, getAddress(payTo)];
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: getAddress(asset) },
    types,
    primaryType: 'TransferWithAuthorization',
    message: { from, to, value: amount, validAfter: 0n, validBefore: BigInt(validBefore), nonce },
  });
  const authorization = { from, to, value: String(amount), validAfter: '0', validBefore: String(validBefore), nonce };
  const payment = {
    x402Version: 2,
    payload: { signature, authorization },
    resource: { url: resourceUrl },
    accepted: requirement,
  };
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}
