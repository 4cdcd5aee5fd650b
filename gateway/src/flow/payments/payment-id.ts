/** What makes two payments the same one: so that nobody pays two steps with one, and nobody is charged twice for one. */

import type { JsonMembers } from '@flowgate/client/flow-wire';
import type { OfferedPayment } from './payment-header.ts';
import { caip2Of } from './payment-network.ts';
import type { OfferedRequirement } from './payment-offer.ts';
import type { PaymentTerms } from './payment-store.ts';

export type PaymentIdentity = {
  readonly paymentId: string;
  /** Of an EIP-3009 authorisation. */
  readonly terms?: PaymentTerms;
  /** Whom and how much an EIP-3009 authorisation pays. */
  readonly pays?: { readonly to: string; readonly value: string };
};

/**
 * An EIP-3009 authorisation (scheme `exact`) is its payer and nonce on its token and chain, a Permit2 one (`exact`, `upto`) its payer and nonce on its chain, whatever else is written
 * around them. `undefined`: it claims to be an authorisation and is none, or it is of a kind whose content could be written in two ways, so that one payment could pay two steps.
 */
export function identityOf(requirement: OfferedRequirement, { payload }: OfferedPayment): PaymentIdentity | undefined {
  const network = caip2Of(requirement.network);
  // Elsewhere something else than the authorisation could be what is settled; and facilitators read `eip155:08453` as the chain that `eip155:8453` is.
  if (!chainForm.test(network)) return undefined;
  const { scheme } = requirement;
  const { authorization, permit2Authorization } = payload;
  // With both, what is settled could be another one than what was counted.
  if (authorization !== undefined && permit2Authorization !== undefined) return undefined;
  if (permit2Authorization !== undefined && (scheme === 'exact' || scheme === 'upto'))
    return permit2Identity(network, permit2Authorization);
  if (authorization !== undefined && scheme === 'exact')
    return eip3009Identity(network, requirement.asset, authorization);
  return undefined;
}

/** Of a payload with an identity what a facilitator needs: it is not to find anything in it that was not looked at here. */
export function identifiedPart({ signature, authorization, permit2Authorization }: JsonMembers): JsonMembers {
  return {
    ...(signature === undefined ? {} : { signature }),
    ...(authorization === undefined ? {} : { authorization }),
    ...(permit2Authorization === undefined ? {} : { permit2Authorization }),
  };
}

const chainForm = /^eip155:[1-9][0-9]{0,31}$/;
const addressForm = /^0x[0-9a-f]{40}$/i;
const nonceForm = /^0x[0-9a-f]{64}$/i;
const numberForm = /^(0|[1-9][0-9]{0,77})$/;

function eip3009Identity(network: string, asset: string, value: unknown): PaymentIdentity | undefined {
  if (!isMembers(value)) return undefined;
  const { from, to, nonce, validBefore } = value;
  const amount = value['value'];
  if (!isForm(from, addressForm) || !isForm(to, addressForm) || !isForm(nonce, nonceForm)) return undefined;
  if (!isForm(amount, numberForm) || !isForm(validBefore, numberForm)) return undefined;
  const [payer, once] = [from.toLowerCase(), nonce.toLowerCase()];
  return {
    paymentId: `${network}/${asset.toLowerCase()}/${payer}/${once}`,
    terms: { payer, nonce: once, validBefore },
    pays: { to, value: amount },
  };
}

function permit2Identity(network: string, value: unknown): PaymentIdentity | undefined {
  if (!isMembers(value)) return undefined;
  const { from, nonce } = value;
  if (!isForm(from, addressForm) || !isForm(nonce, numberForm)) return undefined;
  return { paymentId: `${network}/permit2/${from.toLowerCase()}/${nonce}` };
}

type AuthorizationMembers = {
  readonly from?: unknown;
  readonly to?: unknown;
  readonly nonce?: unknown;
  readonly validBefore?: unknown;
};

function isMembers(value: unknown): value is JsonMembers & AuthorizationMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isForm(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}
