/** A run's keys and their owners, and keys that do not exist. */

export type OwnedKey = { readonly key: string; readonly userId: string };

export type Population = {
  /** Keys of many users, one for each, used repeatedly. */
  readonly hot: readonly OwnedKey[];
  /** Keys that are used once, ten of each user; a gateway has none of them cached. */
  readonly cold: readonly OwnedKey[];
  /** Keys of one user, for the endpoint whose limit is used up. */
  readonly spent: readonly OwnedKey[];
  /** Well-formed keys that do not exist. */
  readonly unknown: readonly string[];
};

export type PopulationSize = { readonly hot: number; readonly cold: number };

export type Mint = (userId: string, keys: number) => Promise<readonly OwnedKey[]>;

const keysPerUser = 10;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A well-formed key (contract/keys#form: 16 and 43 random base62 characters, then 6 of CRC-32). */
export function madeUpKey(): string {
  const text = (length: number): string =>
    Array.from(crypto.getRandomValues(new Uint8Array(length)), (byte) => alphabet[byte % 62]).join('');
  const unsealed = `fk_${text(16)}.${text(43)}`;
  return unsealed + base62(Bun.hash.crc32(unsealed), 6);
}

export function base62(value: number, digits: number): string {
  let rest = value;
  let text = '';
  for (let digit = 0; digit < digits; digit += 1) {
    text = (alphabet[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}

/** Generates keys for a run without a gateway that could create them. */
export const makeUp: Mint = async (userId, keys) => Array.from({ length: keys }, () => ({ key: madeUpKey(), userId }));

/** Creates keys for at most `width` users at the same time. */
export async function populate(mint: Mint, size: PopulationSize, width = 4): Promise<Population> {
  const minted = async (prefix: string, users: number, keys: number): Promise<OwnedKey[]> => {
    const groups: (readonly OwnedKey[])[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < users) {
        const index = next;
        next += 1;
        groups[index] = await mint(`${prefix}-${index}`, keys);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    return groups.flat();
  };
  return {
    hot: await minted('hot', size.hot, 1),
    cold: await minted('cold', Math.ceil(size.cold / keysPerUser), keysPerUser),
    spent: await minted('spent', 1, 4),
    unknown: Array.from({ length: 1000 }, madeUpKey),
  };
}

export function everyKeyOf(population: Population): readonly OwnedKey[] {
  return [...population.hot, ...population.cold, ...population.spent];
}

/** A key map for a contestant: one line for each key, with its user, and `end` before the line's end. */
export function keyMapOf(population: Population, end = ''): string {
  return everyKeyOf(population)
    .map(({ key, userId }) => `${key} ${userId}${end}\n`)
    .join('');
}
