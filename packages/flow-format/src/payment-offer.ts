/** The payment that an app requires for a step: `{ accepts: [PaymentRequirements] }` of x402 version 2 or 1. */

import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';

export type OfferedRequirement = {
  /** The protocol version: 1 has `maxAmountRequired` and network names, 2 has `amount` and CAIP-2. */
  readonly version: 1 | 2;
  readonly scheme: string;
  readonly network: string;
  readonly asset: string;
  /** In base units of the asset. */
  readonly amount: string;
  readonly payTo: string;
  /** The requirement as the app sent it, for callers and the facilitator. */
  readonly text: JsonObject;
};

/** The whole offer must fit into a response header. */
const maxOfferCharacters = 8_192;
const maxRequirements = 16;

const amountForm = /^(0|[1-9][0-9]{0,77})$/;
const caip2Form = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;
const nameForm = /^[-_:a-zA-Z0-9]{1,64}$/;

/** Whether the value is a valid `payment` of a step. */
export function isPaymentOffer(value: unknown): value is JsonObject {
  return requirementsOf(value) !== undefined;
}

/** The requirements in order; `undefined` when the value is not an offer. */
export function requirementsOf(value: unknown): readonly OfferedRequirement[] | undefined {
  if (!isJsonObject(value) || !Array.isArray(value['accepts'])) return undefined;
  const accepts: readonly unknown[] = value['accepts'];
  if (accepts.length < 1 || accepts.length > maxRequirements) return undefined;
  if (JSON.stringify(accepts).length > maxOfferCharacters) return undefined;
  const requirements = accepts.flatMap((each) => requirementOf(each) ?? []);
  return requirements.length === accepts.length ? requirements : undefined;
}

function requirementOf(value: unknown): OfferedRequirement | undefined {
  if (!isJsonObject(value)) return undefined;
  const { scheme, network, asset, payTo, maxTimeoutSeconds, extra } = value;
  const version = 'amount' in value ? 2 : 1;
  const amount = version === 2 ? value['amount'] : value['maxAmountRequired'];
  if (!isName(scheme) || !isName(network) || (version === 2 && !caip2Form.test(network))) return undefined;
  if (!isText(asset) || !isText(payTo) || typeof amount !== 'string' || !amountForm.test(amount)) return undefined;
  if (maxTimeoutSeconds !== undefined && !(typeof maxTimeoutSeconds === 'number' && maxTimeoutSeconds > 0))
    return undefined;
  if (extra !== undefined && extra !== null && !isJsonObject(extra)) return undefined;
  return { version, scheme, network, asset, amount, payTo, text: value };
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && nameForm.test(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length >= 1 && value.length <= 256;
}
