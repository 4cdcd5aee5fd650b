/** Forms that several keys of the configuration share. */

import { identifierForm } from '@flowgate/base/identifier';
import { isEvmAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';

export const identifier = z
  .string()
  .regex(identifierForm, 'must be 1 to 64 letters, digits, dots, dashes or underscores');

/** The address of a contract. A checksum must be right if present, because money sent to a mistyped address is lost. */
export const contractAddress = z
  .string()
  .refine(isEvmAddress, 'must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55');

/** Numbers and booleans may come from environment variables, which are texts. */
const fromText = (value: unknown) => {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
};
/** An integer. */
export const whole = (min: number, max: number) => z.preprocess(fromText, z.number().int().min(min).max(max));
export const flag = z.preprocess(fromText, z.boolean());
/** With fractions. */
export const seconds = (min: number, max: number) => z.preprocess(fromText, z.number().min(min).max(max));

export const httpUrl = z
  .string()
  .refine((text) => ['http:', 'https:'].includes(protocolOf(text)), 'must be an http:// or https:// URL');

function protocolOf(text: string): string {
  try {
    return new URL(text).protocol;
  } catch {
    return '';
  }
}
