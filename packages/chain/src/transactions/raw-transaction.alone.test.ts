import { expect, test } from 'bun:test';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import { Transaction } from 'ethers';
import fc from 'fast-check';
import { type Hex, keccak256, serializeTransaction, type TransactionSerializable, toRlp } from 'viem';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { recoverAddress } from '../recover-address.ts';
import { decodeRawTransaction } from './raw-transaction.ts';

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;
const bytesOf = (length: number) => fc.uint8Array({ minLength: length, maxLength: length }).map(hexOf);
const address = bytesOf(20);
const hash = bytesOf(32);
const upTo = (bits: bigint) =>
  fc.oneof(fc.bigInt({ min: 0n, max: 2n ** bits - 1n }), fc.bigInt({ min: 0n, max: 300n }));
const data = fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ maxLength: 400 })).map(hexOf);
const chainId = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
const nonce = fc.oneof(fc.nat({ max: 300 }), fc.nat({ max: Number.MAX_SAFE_INTEGER }));
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(hash, { maxLength: 3 }) }), { maxLength: 3 });
const authorization = fc.record({
  address,
  chainId: fc.nat({ max: 1_000_000 }),
  nonce,
  yParity: fc.constantFrom(0, 1),
  r: hash.filter((text) => !text.startsWith('0x00')),
  s: hash.filter((text) => !text.startsWith('0x00')),
});
const common = { chainId, nonce, gas: upTo(64n), value: upTo(256n), data };
const creating = { ...common, to: fc.option(address, { nil: undefined }) };
const fees = fc
  .tuple(upTo(255n), upTo(254n))
  .map(([first, second]) =>
    first > second
      ? { maxFeePerGas: first, maxPriorityFeePerGas: second }
      : { maxFeePerGas: second, maxPriorityFeePerGas: first },
  );
const withFees = <T>(fields: fc.Arbitrary<T>) => fc.tuple(fields, fees).map(([some, more]) => ({ ...some, ...more }));

/** One transaction of each type, unsigned, in viem's form. */
const generated: Readonly<Record<string, fc.Arbitrary<TransactionSerializable>>> = {
  'legacy, before EIP-155': fc
    .record({
      ...creating,
      chainId: fc.constant(undefined),
      gasPrice: upTo(255n),
      type: fc.constant('legacy' as const),
    })
    .map((fields) => fields as TransactionSerializable),
  legacy: fc.record({ ...creating, gasPrice: upTo(255n), type: fc.constant('legacy' as const) }),
  'EIP-2930': fc.record({ ...creating, accessList, gasPrice: upTo(255n), type: fc.constant('eip2930' as const) }),
  'EIP-1559': withFees(fc.record({ ...creating, accessList, type: fc.constant('eip1559' as const) })),
  'EIP-4844': withFees(
    fc.record({
      ...common,
      to: address,
      accessList,
      maxFeePerBlobGas: upTo(255n).map((fee) => fee + 1n),
      blobVersionedHashes: fc.array(
        bytesOf(31).map((rest): Hex => `0x01${rest.slice(2)}`),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      type: fc.constant('eip4844' as const),
    }),
  ),
  'EIP-7702': withFees(
    fc.record({
      ...common,
      to: address,
      accessList,
      authorizationList: fc.array(authorization, { minLength: 1, maxLength: 3 }),
      type: fc.constant('eip7702' as const),
    }),
  ),
};
const typeNumbers = { legacy: 0, eip2930: 1, eip1559: 2, eip4844: 3, eip7702: 4 } as const;

const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map(hexOf)
  .filter((key) => BigInt(key) > 0n && BigInt(key) < order);

async function signed(transaction: TransactionSerializable, key: Hex): Promise<Hex> {
  return privateKeyToAccount(key).signTransaction(transaction);
}

const samples = await Promise.all(
  Object.values(generated).flatMap((arbitrary) =>
    fc.sample(fc.tuple(arbitrary, keys), { numRuns: 6, seed: 7 }).map(([transaction, key]) => signed(transaction, key)),
  ),
);

for (const [name, arbitrary] of Object.entries(generated))
  test(`${name}: a transaction that viem signs is decoded with its hash and sender, as ethers reads it (EIP-155, 2930, 1559, 4844, 7702)`, async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, keys, async (transaction, key) => {
        const raw = await signed(transaction, key);
        const decoded = decodeRawTransaction(raw);
        const { to } = transaction;
        expect(decoded).toMatchObject({
          type: typeNumbers[transaction.type as keyof typeof typeNumbers],
          nonce: BigInt(transaction.nonce ?? 0),
        });
        expect(decoded?.chainId).toBe(transaction.chainId === undefined ? undefined : BigInt(transaction.chainId));
        expect(decoded?.to).toBe(to ?? undefined);
        expect(hexOf(decoded?.data ?? new Uint8Array(1))).toBe(transaction.data ?? '0x');
        const hasSelector = typeof to === 'string' && (transaction.data ?? '0x').length >= 10;
        expect(decoded?.selector).toBe(hasSelector ? transaction.data?.slice(0, 10) : undefined);
        expect(decoded?.hash()).toBe(keccak256(raw));
        expect(decoded?.sender(recoverAddress)).toBe(privateKeyToAccount(key).address.toLowerCase());
        const other = Transaction.from(raw);
        expect([decoded?.hash(), decoded?.sender(recoverAddress)]).toEqual([
          other.hash ?? undefined,
          other.from?.toLowerCase(),
        ]);
      }),
      { numRuns: 40 },
    );
  });

test('a blob transaction has the same hash and sender with and without its blobs (EIP-4844, EIP-7594)', async () => {
  const key = keccak256('0x01');
  const [transaction] = fc.sample(generated['EIP-4844'] as fc.Arbitrary<TransactionSerializable>, {
    numRuns: 1,
    seed: 3,
  });
  const bare = await signed(transaction as TransactionSerializable, key);
  const fieldsOf = (raw: Hex): Hex => `0x${raw.slice(4)}`;
  const blob = hexOf(new Uint8Array(131_072).fill(5));
  const proof = hexOf(new Uint8Array(48).fill(6));
  // A list of encoded items; the first one is inserted unchanged.
  const wrapped = (...rest: Parameters<typeof toRlp>[0][]): Hex => {
    const items = [fieldsOf(bare), ...rest.map((item) => toRlp(item))].map((item) => item.slice(2)).join('');
    const length = (items.length / 2).toString(16);
    const even = length.length % 2 === 0 ? length : `0${length}`;
    return `0x03${(0xf7 + even.length / 2).toString(16)}${even}${items}`;
  };
  const expected = [decodeRawTransaction(bare)?.hash(), decodeRawTransaction(bare)?.sender(recoverAddress)];
  expect(expected).toEqual([keccak256(bare), privateKeyToAccount(key).address.toLowerCase()]);
  const read = (raw: Hex) => [decodeRawTransaction(raw)?.hash(), decodeRawTransaction(raw)?.sender(recoverAddress)];
  const none = [undefined, undefined];
  const cells = Array.from({ length: 128 }, () => proof);
  expect(read(wrapped([blob], [proof], [proof]))).toEqual(expected);
  expect(read(wrapped('0x01', [blob], [proof], cells))).toEqual(expected);
  const viaViem = serializeTransaction(
    {
      ...(transaction as object),
      sidecars: [{ blob, commitment: proof, proof }],
      type: 'eip4844',
    } as never,
    { r: `0x${'1'.repeat(64)}`, s: `0x${'1'.repeat(64)}`, yParity: 1 },
  );
  expect(decodeRawTransaction(viaViem)?.nonce).toBe(BigInt(transaction?.nonce ?? 0));
  for (const wrong of [
    wrapped([blob], [proof]),
    wrapped([blob], [proof], [proof], []),
    wrapped([blob], [proof], []),
    wrapped([blob, blob], [proof], [proof]),
    wrapped([`${blob}00`], [proof], [proof]),
    wrapped([blob], [`${proof}00`], [proof]),
    wrapped('0x02', [blob], [proof], cells),
    wrapped('0x', [blob], [proof], [proof]),
    wrapped('0x01', [blob], [proof], [proof]),
    wrapped('0x01', [blob], [proof], [...cells, proof]),
    wrapped(blob, [proof], [proof]),
  ])
    expect(read(wrong)).toEqual(none);
});

test('hexadecimal digits of either case, after `0x`, `0X` or no prefix, are a transaction; nothing else is', () => {
  const [raw = '0x'] = samples;
  const digits = raw.slice(2);
  const accepted = [raw, `0X${digits}`, digits, `0x${digits.toUpperCase()}`];
  expect(accepted.map((text) => decodeRawTransaction(text)?.hash())).toEqual(accepted.map(() => keccak256(raw)));
  const lookalike = String.fromCharCode((digits.codePointAt(5) ?? 0) + 0x100);
  const refused = [
    '',
    '0x',
    '0X',
    'x',
    '0',
    `0x0${digits}`,
    `0x${digits}0`,
    `0x0x${digits}`,
    ` ${raw}`,
    `${raw} `,
    `${raw}\n`,
  ];
  refused.push(`0x${digits.slice(0, 5)}${lookalike}${digits.slice(6)}`, raw.slice(0, -2), `${raw}00`, `0x00${digits}`);
  expect(refused.filter((text) => decodeRawTransaction(text) !== undefined)).toEqual([]);
  // In a block the bytes of a typed transaction are wrapped as an RLP string; nodes do not accept this form from a caller.
  expect(samples.filter((one) => decodeRawTransaction(toRlp(one)) !== undefined)).toEqual([]);
});

test('every prefix of a transaction, and a transaction with bytes after it, is refused', () => {
  for (const raw of samples) {
    for (let length = 2; length < raw.length; length += 2)
      expect(decodeRawTransaction(raw.slice(0, length))).toBe(undefined);
    for (const more of ['00', '80', 'c0', raw.slice(2)]) expect(decodeRawTransaction(raw + more)).toBe(undefined);
  }
});

/** The canonical transaction according to ethers, which accepts more than one encoding of a value; or its error. */
function canonical(
  raw: string,
): { readonly serialized: string; readonly to: string | undefined; readonly data: string } | string {
  try {
    const { serialized, to, data } = Transaction.from(raw);
    return { serialized, to: to?.toLowerCase(), data };
  } catch (error) {
    return String(error);
  }
}

/** Ethers refuses nonces above 2^53, fees that no block would accept, and authorizations that a chain would ignore (EIP-7702 allows such a transaction). */
const readByGethOnly = /overflow \(argument="nonce"|priorityFee cannot be more|invalid yParity/;

test('a transaction with changed bytes is refused, or is the only encoding of what ethers reads from it', () => {
  const change = fc.record({
    sample: fc.nat({ max: samples.length - 1 }),
    at: fc.nat(),
    inFront: fc.boolean(),
    byte: fc.oneof(
      fc.nat({ max: 255 }),
      fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xb7, 0xb8, 0xbf, 0xc0, 0xf7, 0xf8, 0xff),
    ),
    kind: fc.constantFrom('set', 'insert', 'remove'),
  });
  let decodedCount = 0;
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 2 }), (changes) => {
      const bytes = [...Buffer.from((samples[changes[0]?.sample ?? 0] ?? '').slice(2), 'hex')];
      for (const { at, byte, kind, inFront } of changes) {
        // Half of the changes hit the length prefixes at the start.
        const place = at % (inFront ? Math.min(12, bytes.length) : bytes.length);
        bytes.splice(place, kind === 'insert' ? 0 : 1, ...(kind === 'remove' ? [] : [byte]));
      }
      const raw = hexOf(Uint8Array.from(bytes));
      const decoded = decodeRawTransaction(raw);
      if (decoded === undefined) return;
      decodedCount += 1;
      const read = canonical(raw);
      if (typeof read === 'string') expect(read).toMatch(readByGethOnly);
      else expect(read).toEqual({ serialized: raw, to: decoded.to, data: hexOf(decoded.data) });
    }),
    { numRuns: 6000 },
  );
  expect(decodedCount).toBeGreaterThan(300);
});

/** A signed legacy or EIP-1559 transaction with some of its encoded fields replaced. */
const legacy: readonly Hex[] = ['0x01', '0x02', '0x5208', '0x', '0x', '0x6001', '0x25', '0x11', '0x12'];
const typed: readonly (Hex | readonly unknown[])[] = [
  '0x01',
  '0x01',
  '0x01',
  '0x02',
  '0x5208',
  '0x',
  '0x',
  '0x6001',
  [],
  '0x',
  '0x11',
  '0x12',
];
const legacyWith = (at: number, field: Hex) => decodeRawTransaction(toRlp(legacy.with(at, field)));
const typedWith = (at: number, field: Hex | Hex[]) =>
  decodeRawTransaction(`0x02${toRlp(typed.with(at, field) as Hex[]).slice(2)}`);
const number = (value: bigint): Hex => {
  const digits = value.toString(16);
  return `0x${digits.length % 2 === 0 ? '' : '0'}${digits}`;
};

test('integers with leading zeros or too many bytes, and addresses of another length, are refused', () => {
  expect([legacyWith(0, '0x01')?.nonce, typedWith(1, '0x01')?.nonce]).toEqual([1n, 1n]);
  const long = (bytes: number): Hex => `0x${'11'.repeat(bytes)}`;
  for (const at of [0, 1, 2, 4, 6, 7, 8]) expect([at, legacyWith(at, '0x00')]).toEqual([at, undefined]);
  for (const at of [0, 1, 2, 3, 4, 6, 9, 10, 11]) {
    expect([at, typedWith(at, '0x00')]).toEqual([at, undefined]);
    expect([at, typedWith(at, '0x0001')]).toEqual([at, undefined]);
    expect([at, typedWith(at, long(33))]).toEqual([at, undefined]);
  }
  for (const at of [0, 1, 4]) expect([at, typedWith(at, long(9))]).toEqual([at, undefined]);
  for (const length of [1, 19, 21, 32])
    expect([legacyWith(3, long(length)), typedWith(5, long(length))]).toEqual([undefined, undefined]);
  for (const at of typed.keys()) if (at !== 8) expect([at, typedWith(at, [])]).toEqual([at, undefined]);
  expect(typedWith(8, '0x')).toBe(undefined);
  expect([typedWith(1, number(2n ** 64n - 2n))?.nonce, typedWith(1, number(2n ** 64n - 1n))]).toEqual([
    2n ** 64n - 2n,
    undefined,
  ]);
});

test('signatures that no chain accepts are refused: other parities, zero, values beyond the order, and the upper half of s (EIP-2)', () => {
  for (const v of ['0x', '0x01', '0x1a', '0x1d', '0x22', '0x23', '0x24'] as const)
    expect([v, legacyWith(6, v)]).toEqual([v, undefined]);
  expect([legacyWith(6, '0x1b'), legacyWith(6, '0x1c')].map((read) => [read?.nonce, read?.chainId])).toEqual([
    [1n, undefined],
    [1n, undefined],
  ]);
  expect(['0x25', '0x26', '0x27'].map((v) => legacyWith(6, v as Hex)?.chainId)).toEqual([1n, 1n, 2n]);
  expect(legacyWith(6, number((2n ** 64n - 1n) * 2n + 36n))?.chainId).toBe(2n ** 64n - 1n);
  expect(legacyWith(6, number(2n ** 64n * 2n + 35n))).toBe(undefined);
  for (const v of ['0x02', '0x1b', '0x1c', '0x25', '0x0100'] as const)
    expect([v, typedWith(9, v)]).toEqual([v, undefined]);
  for (const at of [10, 11])
    expect([typedWith(at, '0x'), typedWith(at, number(order))]).toEqual([undefined, undefined]);
  expect(typedWith(10, number(order - 1n))?.nonce).toBe(1n);
  expect([typedWith(11, number(order / 2n))?.nonce, typedWith(11, number(order / 2n + 1n))]).toEqual([1n, undefined]);
});

test('the twin of a signature, with the same sender, is refused (EIP-2)', async () => {
  const payload = '0x02c0' as const;
  const { r, s, yParity = 0 } = await sign({ hash: keccak256(payload), privateKey: keccak256('0x02') });
  const read = (parity: number, half: bigint) =>
    decodeRawTransaction(
      `0x02${toRlp(
        typed
          .with(9, parity === 0 ? '0x' : '0x01')
          .with(10, number(BigInt(r)))
          .with(11, number(half)) as Hex[],
      ).slice(2)}`,
    );
  expect(read(yParity, BigInt(s))?.nonce).toBe(1n);
  expect(read(1 - yParity, order - BigInt(s))).toBe(undefined);
});

test('a signature that no key can make is decoded, and has no sender', () => {
  // No point of the curve has the coordinate 5.
  expect([typedWith(10, '0x05')?.nonce, typedWith(10, '0x05')?.sender(recoverAddress)]).toEqual([1n, undefined]);
});

test('decoding takes time in proportion to the length: data, lists, lists in lists, lengths of lengths', () => {
  const growing: Readonly<Record<string, (size: number) => string>> = {
    data: (size) => `0x02${toRlp(typed.with(7, `0x${'60'.repeat(size)}`) as Hex[]).slice(2)}`,
    'keys of an access list': (size) =>
      `0x02${toRlp(typed.with(8, [[`0x${'11'.repeat(20)}`, Array.from({ length: size / 32 }, () => `0x${'22'.repeat(32)}`)]]) as Hex[]).slice(2)}`,
    'entries of an access list': (size) =>
      `0x02${toRlp(
        typed.with(
          8,
          Array.from({ length: size / 24 }, () => [`0x${'11'.repeat(20)}`, []]),
        ) as Hex[],
      ).slice(2)}`,
    'lists in lists': (size) => `0x${'c1'.repeat(size)}c0`,
    'no digits': (size) => `0x${'f'.repeat(size * 2)}g`,
    'empty items': (size) => `0x02fa${size.toString(16).padStart(6, '0')}${'80'.repeat(size)}`,
  };
  for (const [name, make] of Object.entries(growing))
    for (const size of [48_000, 96_000]) {
      const [text, twice] = [make(size), make(size * 2)];
      expect([
        name,
        takesMoreThan(
          3,
          () => decodeRawTransaction(twice),
          () => decodeRawTransaction(text),
          1,
        ),
      ]).toEqual([name, false]);
    }
});

test('no text makes the decoder throw', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.uint8Array({ maxLength: 200 }).map(hexOf),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x0${1 + ((bytes[0] ?? 0) % 4)}f8${hexOf(bytes).slice(2)}`),
      ),
      (text) => {
        decodeRawTransaction(text)?.sender(recoverAddress);
      },
    ),
    { numRuns: 3000 },
  );
  expect(decodeRawTransaction('')).toBe(undefined);
});
