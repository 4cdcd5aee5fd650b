/** Addresses in bodies and in paths (contract/conventions#times-and-amounts). */

import { mustBe } from '@flowgate/body-schema/body-members';
import { isEvmAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import type { PathParameterDoc } from './route.ts';

const form = '^0x[0-9a-fA-F]{40}$';
export const exampleAddress = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** In responses: with the checksum of EIP-55. */
export const evmAddress = (description: string) =>
  z.string().meta({ description: `${description} EIP-55.`, pattern: form, examples: [exampleAddress] });

/** In requests: in one letter case, or with a correct EIP-55 checksum. */
export const evmAddressInput = (description: string) =>
  z
    .string(mustBe('a string'))
    .refine(isEvmAddress, {
      error: 'must be an address: 0x and 40 hexadecimal digits, in mixed case with the checksum of EIP-55',
    })
    .meta({ description, pattern: form, examples: [exampleAddress] });

export const addressParameter = (description: string): PathParameterDoc => ({
  description,
  schema: () => evmAddress(description),
  example: exampleAddress,
});
