/** The identity of a payment, by which two submissions of one payment are recognized: one payment pays for one step, and no payer is charged twice. */

import type { OfferedRequirement } from '@flowgate/flow-format/payment-offer';
import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import type { OfferedPayment } from './payment-header.ts';
import { caip2Of } from './payment-network.ts';
import type { PaymentTerms } from './payment-store.ts';

export type PaymentIdentity = {
  readonly paymentId: string;
  /** Only for an EIP-3009 authorization. */
  readonly terms?: PaymentTerms;
  /** The payee and amount of an EIP-3009 authorization. */
  readonly pays?: { readonly to: string; readonly value: string };
};

/**
 * An EIP-3009 authorization (scheme `exact`) is identified by chain, token, payer and nonce; a Permit2 authorization (`exact`, `upto`) by chain, payer and nonce. Other content
 * is ignored. `undefined`: the payload is not a valid authorization, or it is of a kind that can be written in two ways, so that one payment could pay for two steps.
 */
export function identityOf(requirement: OfferedRequirement, { payload }: OfferedPayment): PaymentIdentity | undefined {
  const network = caip2Of(requirement.network);
  // On other chains the facilitator could settle something other than the authorization; and facilitators read `eip155:08453` as `eip155:8453`.
  if (!chainForm.test(network)) return undefined;
  const { scheme } = requirement;
  const { authorization, permit2Authorization } = payload;
  // If both are present, the facilitator could settle the one that is not identified here.
  if (authorization !== undefined && permit2Authorization !== undefined) return undefined;
  if (permit2Authorization !== undefined && (scheme === 'exact' || scheme === 'upto'))
    return permit2Identity(network, permit2Authorization);
  if (authorization !== undefined && scheme === 'exact')
    return eip3009Identity(network, requirement.asset, authorization);
  return undefined;
}

/** The members of a payload that a facilitator needs. It must not receive members that were not checked here. */
export function identifiedPart({ signature, authorization, permit2Authorization }: JsonObject): JsonObject {
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
  if (!isJsonObject(value)) return undefined;
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
  if (!isJsonObject(value)) return undefined;
  const { from, nonce } = value;
  if (!isForm(from, addressForm) || !isForm(nonce, numberForm)) return undefined;
  return { paymentId: `${network}/permit2/${from.toLowerCase()}/${nonce}` };
}

function isForm(value: unknown, form: RegExp): value is string {
  return typeof value === 'string' && form.test(value);
}
