/** Amounts in bodies: decimal strings in base units (contract/conventions#times-and-amounts). */

import { mustBe } from '@flowgate/body-schema/body-members';
import { z } from 'zod';

const form = /^(?:0|[1-9]\d{0,77})$/;
const max = 2n ** 256n - 1n;

/** In responses. */
export const amount = (description: string) =>
  z.string().meta({ description: `${description} In base units.`, pattern: form.source, examples: ['1500000'] });

/** In requests: any value of a `uint256`. */
export const amountInput = () =>
  z
    .string(mustBe('a string of decimal digits'))
    .refine((text) => form.test(text) && BigInt(text) <= max, {
      error: 'must be decimal digits without a leading zero, less than 2^256',
    })
    .meta({ pattern: form.source });
