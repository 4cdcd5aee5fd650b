/** Challenges and linked wallets as callers send and see them (contract/wallets). */

import { isoTime } from '@flowgate/base/iso-time';
import { mustBe, optional, plainText, time } from '@flowgate/body-schema/body-members';
import { type BodyOf, bodySchema, pageSchema } from '@flowgate/body-schema/body-schema';
import { checksumAddress } from '@flowgate/chain/evm-address';
import { z } from 'zod';
import { addressParameter, evmAddress, evmAddressInput, exampleAddress } from '../api/evm-address-member.ts';
import type { WalletRecord } from './wallet-store.ts';

const exampleNonce = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const exampleMessage = `rpc.example.com wants you to sign in with your Ethereum account:
${exampleAddress}

Link this wallet to your account at this gateway.

URI: https://rpc.example.com
Version: 1
Chain ID: 1
Nonce: ${exampleNonce}
Issued At: 2026-11-21T10:00:00.000Z
Expiration Time: 2026-11-21T10:10:00.000Z`;
const exampleSignature = `0x${'a1'.repeat(64)}1b`;

/** Bounds the text that is parsed; the gateway's messages have a few hundred characters. */
export const maxMessageCharacters = 4_096;
/** A wrapped signature (EIP-6492) contains the call that deploys the wallet. */
export const maxSignatureBytes = 16_384;

/** The path parameter that names a wallet. */
export const walletPath = { address: addressParameter('The wallet.') };

export const challengeInput = bodySchema(
  'WalletChallengeInput',
  'The wallet to link, and the chain on which the gateway calls a contract wallet.',
  () =>
    z.object({
      address: evmAddressInput('The wallet.'),
      chainId: optional(
        z
          .number(mustBe('a whole number'))
          .refine((id) => Number.isSafeInteger(id) && id > 0, { error: 'must be a whole number above zero' })
          .meta({ minimum: 1, description: "Of a network here. Left out: the default network's." }),
      ),
    }),
  { address: exampleAddress, chainId: 1 },
);

export const walletChallenge = bodySchema(
  'WalletChallenge',
  'The message for the wallet to sign (EIP-4361).',
  () =>
    z.object({
      message: z.string().describe('The message to sign, unchanged (`personal_sign`, EIP-191).'),
      nonce: z.string().describe('In the message: links one wallet, once.'),
      expiresAt: time('Ten minutes after the challenge.'),
    }),
  { message: exampleMessage, nonce: exampleNonce, expiresAt: '2026-11-21T10:10:00.000Z' },
);

export const walletInput = bodySchema(
  'WalletInput',
  'The proof: the message of a challenge, and what the wallet made of it.',
  () =>
    z.object({
      message: z
        .string(mustBe('a string'))
        .refine((text) => text.length <= maxMessageCharacters, {
          error: `must have at most ${maxMessageCharacters} characters`,
        })
        .meta({ maxLength: maxMessageCharacters, description: 'The text of the challenge, unchanged.' }),
      signature: z
        .string(mustBe('a string'))
        .refine((text) => text.length <= 2 + 2 * maxSignatureBytes, {
          error: `must have at most ${maxSignatureBytes} bytes`,
          abort: true,
        })
        .refine((text) => /^0x(?:[0-9a-fA-F]{2})+$/.test(text), {
          error: 'must be 0x and hexadecimal digits, two a byte',
        })
        .meta({
          maxLength: 2 + 2 * maxSignatureBytes,
          pattern: '^0x([0-9a-fA-F]{2})+$',
          description: '65 bytes, 64 (EIP-2098), or what a contract wallet takes (EIP-1271, EIP-6492).',
        }),
      label: optional(plainText(100, { abort: true })).describe(
        'For people: Unicode code points, no control or format characters.',
      ),
    }),
  { message: exampleMessage, signature: exampleSignature, label: 'Treasury' },
);

export const wallet = bodySchema(
  'Wallet',
  'A wallet that the caller has proved.',
  () =>
    z.object({
      address: evmAddress('The wallet.'),
      kind: z.enum(['account', 'contract']).describe('Whether a key signed, or a contract confirmed the signature.'),
      label: z.string().exactOptional(),
      chainId: z.int().min(1).describe('The chain that the signed message named; where a contract wallet was asked.'),
      linkedAt: time('When it was linked.'),
    }),
  { address: exampleAddress, kind: 'account', label: 'Treasury', chainId: 1, linkedAt: '2026-11-21T10:00:05.000Z' },
);

export const walletPage = pageSchema('WalletPage', 'Wallets, newest first.', wallet);

export function walletView({ address, kind, label, chainId, createdAtMs }: WalletRecord): BodyOf<typeof wallet> {
  return {
    address: checksumAddress(address),
    kind,
    ...(label === undefined ? {} : { label }),
    chainId,
    linkedAt: isoTime(createdAtMs),
  };
}
