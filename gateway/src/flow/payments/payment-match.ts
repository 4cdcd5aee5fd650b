/** Finds the requirement that a payment fulfils among those that were asked; what the payment says about itself only chooses. */

import type { OfferedPayment } from './payment-header.ts';
import { identityOf, type PaymentIdentity } from './payment-id.ts';
import type { OfferedRequirement } from './payment-offer.ts';

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
    ? { kind: 'unmatched', error: 'the authorization pays another amount or payee than was asked' }
    : { kind: 'unmatched', error: 'the payment payload holds no valid EIP-3009 or Permit2 authorization' };
}

/** The first version's payments name scheme and network only. */
function isClaimed(requirement: OfferedRequirement, { version, claimed }: OfferedPayment): boolean {
  if (requirement.version !== version) return false;
  if (requirement.scheme !== claimed.scheme || requirement.network !== claimed.network) return false;
  if (version === 1) return true;
  const { asset, amount, payTo } = requirement;
  return amount === claimed.amount && isSame(asset, claimed.asset) && isSame(payTo, claimed.payTo);
}

/** What other kinds of payment pay is the facilitator's to check. */
function paysFor({ pays }: PaymentIdentity, { amount, payTo }: OfferedRequirement): boolean {
  return pays === undefined || (isSame(pays.to, payTo) && pays.value === amount);
}

/** EVM addresses mean the same in any case of letters; other chains' do not. */
function isSame(left: string, right: string | undefined): boolean {
  if (right === undefined) return false;
  return left === right || (left.startsWith('0x') && left.toLowerCase() === right.toLowerCase());
}
