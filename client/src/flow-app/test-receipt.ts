/** The receipt of a payment that nobody made, for tests of paid steps. */

import { isObject } from '../shape.ts';
import type { JsonMembers, PaymentReceipt } from '../wire.ts';

/** Of the first of the accepted payments. */
export function testReceipt(payment: JsonMembers): PaymentReceipt {
  const accepts: unknown = payment['accepts'];
  const offer: unknown = Array.isArray(accepts) ? accepts[0] : undefined;
  const text = (name: string) => {
    const value: unknown = isObject(offer) ? offer[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  const [amount, asset, payTo] = [text('amount'), text('asset'), text('payTo')];
  return {
    success: true,
    transaction: `0x${'7e57'.repeat(16)}`,
    network: text('network'),
    payer: `0x${'00'.repeat(19)}01`,
    ...{ amount, asset, payTo },
  };
}
