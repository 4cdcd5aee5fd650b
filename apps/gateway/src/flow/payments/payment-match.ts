/** Finds the requirement that a payment fulfills. What the payment claims about itself only selects candidates. */

import type { OfferedRequirement } from '@flowgate/flow-format/payment-offer';
import type { OfferedPayment } from './payment-header.ts';
import { identityOf, type PaymentIdentity } from './payment-identity.ts';

export type MatchedPayment = PaymentIdentity & {
  readonly requirement: OfferedRequirement;
  readonly payment: OfferedPayment;
};

export type PaymentMatch =
  | { readonly kind: 'matched'; readonly matched: MatchedPayment }
  | { readonly kind: 'unmatched'; readonly error: string };

export function matchPayment(requirements: readonly OfferedRequirement[], payment: OfferedPayment): PaymentMatch {
  const claimed = requirements.filter((requirement) => isClaimed(requirement, payment));
  if (claimed.length === 0) return { kind: 'unmatched', error: 'no matching payment requirements' };
  let isAuthorization = true;
  for (const requirement of claimed) {
    const identity = identityOf(requirement, payment);
    isAuthorization &&= identity !== undefined;
    if (identity === undefined || !paysFor(identity, requirement)) continue;
    return { kind: 'matched', matched: { ...identity, requirement, payment } };
  }
  return isAuthorization
    ? { kind: 'unmatched', error: 'the authorization pays another amount or payee than required' }
    : { kind: 'unmatched', error: 'the payment payload contains no valid EIP-3009 or Permit2 authorization' };
}

/** Payments of version 1 name only scheme and network. */
function isClaimed(requirement: OfferedRequirement, { version, claimed }: OfferedPayment): boolean {
  if (requirement.version !== version) return false;
  if (requirement.scheme !== claimed.scheme || requirement.network !== claimed.network) return false;
  if (version === 1) return true;
  const { asset, amount, payTo } = requirement;
  return amount === claimed.amount && isSame(asset, claimed.asset) && isSame(payTo, claimed.payTo);
}

/** For other kinds of payment the facilitator checks payee and amount. */
function paysFor({ pays }: PaymentIdentity, { amount, payTo }: OfferedRequirement): boolean {
  return pays === undefined || (isSame(pays.to, payTo) && pays.value === amount);
}

/** EVM addresses are case-insensitive; those of other chains are not. */
function isSame(left: string, right: string | undefined): boolean {
  if (right === undefined) return false;
  return left === right || (left.startsWith('0x') && left.toLowerCase() === right.toLowerCase());
}
