/** Opens an encrypted key file: the JSON keystore of Ethereum wallets, version 3 (Web3 Secret Storage). */

import { createDecipheriv, pbkdf2, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { keccak256 } from '@flowgate/chain/keccak';
import { z } from 'zod';

const hex = (bytes?: number) =>
  z
    .string()
    .regex(/^(?:[0-9a-fA-F]{2})*$/)
    .refine((text) => bytes === undefined || text.length === 2 * bytes);

/** Far above the parameters of wallets (n 262,144, r 8), and far below the size of the memory. */
const maxScrypt = 2 ** 23;
const maxIterations = 10_000_000;

const keystore = z.object({
  version: z.literal(3),
  crypto: z.object({
    cipher: z.literal('aes-128-ctr'),
    ciphertext: hex(32),
    cipherparams: z.object({ iv: hex(16) }),
    mac: hex(32),
    kdf: z.enum(['scrypt', 'pbkdf2']),
    kdfparams: z.object({
      dklen: z.literal(32),
      salt: hex(),
      n: z.int().min(2).optional(),
      r: z.int().min(1).optional(),
      p: z.int().min(1).max(16).optional(),
      c: z.int().min(1).max(maxIterations).optional(),
      prf: z.string().optional(),
    }),
  }),
});

export type Keystore = z.output<typeof keystore>;

/** Undefined for a text that is not a keystore of this form. */
export function parseKeystore(text: string): Keystore | undefined {
  try {
    const raw: unknown = JSON.parse(text);
    // Some wallets write "Crypto".
    const named: unknown =
      typeof raw === 'object' && raw !== null && 'Crypto' in raw ? { ...raw, crypto: raw.Crypto } : raw;
    return keystore.safeParse(named).data;
  } catch {
    return undefined;
  }
}

/** The private key; undefined for a wrong password. Throws when the key derivation needs too many resources. */
export async function openKeystore({ crypto }: Keystore, password: string): Promise<Buffer | undefined> {
  const derived = await deriveKey(crypto, Buffer.from(password.normalize('NFC')));
  const ciphertext = Buffer.from(crypto.ciphertext, 'hex');
  const mac = keccak256(Buffer.concat([derived.subarray(16, 32), ciphertext]));
  if (!timingSafeEqual(mac, Buffer.from(crypto.mac, 'hex'))) return undefined;
  const decipher = createDecipheriv('aes-128-ctr', derived.subarray(0, 16), Buffer.from(crypto.cipherparams.iv, 'hex'));
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

async function deriveKey({ kdf, kdfparams }: Keystore['crypto'], password: Buffer): Promise<Buffer> {
  const salt = Buffer.from(kdfparams.salt, 'hex');
  if (kdf === 'pbkdf2') {
    if (kdfparams.prf !== 'hmac-sha256' || kdfparams.c === undefined)
      throw new Error('the key file asks for an unknown derivation');
    return promisify(pbkdf2)(password, salt, kdfparams.c, 32, 'sha256');
  }
  const { n = 0, r = 0, p = 0 } = kdfparams;
  if (n === 0 || r === 0 || p === 0 || n * r > maxScrypt)
    throw new Error('the key file asks for a derivation that is too expensive');
  const derive = promisify<Buffer, Buffer, number, object, Buffer>(scrypt);
  return derive(password, salt, 32, { N: n, r, p, maxmem: 129 * n * r + 1_048_576 });
}
