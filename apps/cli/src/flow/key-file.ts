/** `--key-file`: the signing account, from an encrypted keystore or a raw key that only its owner can read. A key is never an argument. */

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { messageOf } from '@flowgate/base/text';
import type { LocalAccount } from 'viem';
import { CliProblem } from '../cli-problem.ts';
import { openKeystore, parseKeystore } from './keystore.ts';

const maxBytes = 65_536;
export const passwordVariable = 'FLOWGATE_KEY_PASSWORD';

/** `askPassword` is undefined without a terminal. Throws `CliProblem`; no message contains the file's content. */
export async function readKeyFile(
  path: string,
  environment: Readonly<Record<string, string | undefined>>,
  askPassword: (() => Promise<string>) | undefined,
): Promise<LocalAccount> {
  const { text, mode } = read(path);
  const raw = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text.trim())?.[1];
  if (raw !== undefined) {
    if ((mode & 0o077) !== 0)
      throw new CliProblem('usage', `${path} contains a private key, and other users can read it`, `chmod 600 ${path}`);
    return accountOf(raw, path);
  }
  const keystore = parseKeystore(text);
  if (keystore === undefined)
    throw new CliProblem(
      'usage',
      `${path} is neither a JSON keystore of version 3 nor a private key of 64 hexadecimal digits`,
    );
  const given = environment[passwordVariable] ?? '';
  const password = given === '' ? await askPassword?.() : given;
  if (password === undefined)
    throw new CliProblem('usage', `the password of ${path} is missing`, `Set ${passwordVariable}.`);
  const key = await openKeystore(keystore, password).catch((error: unknown) => {
    throw new CliProblem('usage', `${path}: ${messageOf(error)}`);
  });
  if (key === undefined) throw new CliProblem('refused', `the password of ${path} is wrong`);
  return accountOf(key.toString('hex'), path);
}

function read(path: string): { readonly text: string; readonly mode: number } {
  try {
    const file = openSync(path, 'r');
    try {
      const found = fstatSync(file);
      if (!found.isFile() || found.size > maxBytes) throw new Error('it is no key file');
      return { text: readFileSync(file, 'utf8'), mode: found.mode };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new CliProblem('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
}

async function accountOf(key: string, path: string): Promise<LocalAccount> {
  const { privateKeyToAccount } = await import('viem/accounts');
  try {
    return privateKeyToAccount(`0x${key}`);
  } catch {
    throw new CliProblem('usage', `${path} contains no private key`);
  }
}
