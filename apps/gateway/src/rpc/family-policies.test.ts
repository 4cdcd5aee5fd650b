import { describe, expect, test } from 'bun:test';
import { bitcoin } from '@flowgate/chain/families/bitcoin';
import { solana } from '@flowgate/chain/families/solana';
import fc from 'fast-check';
import { bitcoinBlocked, bitcoinForwarded, bitcoinHeavy } from '../../test/corpora/bitcoin-methods.ts';
import { solanaBlocked, solanaForwarded, solanaHeavy } from '../../test/corpora/solana-methods.ts';
import { createMethodPolicy, enableProblem } from './method-policy.ts';

const families = [
  {
    methods: solana.methods,
    forwarded: solanaForwarded,
    heavy: solanaHeavy,
    blocked: solanaBlocked,
    quick: solana.quickReads,
    reads: solana.reads,
  },
  {
    methods: bitcoin.methods,
    forwarded: bitcoinForwarded,
    heavy: bitcoinHeavy,
    blocked: bitcoinBlocked,
    quick: bitcoin.quickReads,
    reads: bitcoin.reads,
  },
].map((each) => ({ ...each, name: each.methods === solana.methods ? 'solana' : 'bitcoin' }));

describe.each(families)(
  '$name forwards the listed methods and no others (contract/json-rpc#$name)',
  ({ methods, forwarded, heavy, blocked, quick, reads }) => {
    const closed = createMethodPolicy(methods, []);
    const open = createMethodPolicy(methods, [...heavy]);
    const known = new Set([...forwarded, ...heavy]);

    test('the lists are those of the published methods', () => {
      expect('allowed' in methods && [...methods.allowed].sort()).toEqual([...forwarded].sort());
      expect([...methods.heavy].sort()).toEqual([...heavy].sort());
      expect(blocked.filter((method) => known.has(method))).toEqual([]);
    });

    test('each method has its verdict', () => {
      for (const method of forwarded)
        expect([method, closed(method), open(method)]).toEqual([method, 'forward', 'forward']);
      for (const method of heavy)
        expect([method, closed(method), open(method)]).toEqual([method, 'not-enabled', 'forward']);
      for (const method of blocked)
        expect([method, closed(method), open(method)]).toEqual([method, 'blocked', 'blocked']);
    });

    test('a name in any other spelling is blocked, because a node might accept it', () => {
      const others = [...forwarded, ...heavy, ...blocked].flatMap((name) => [
        ...[name.toUpperCase(), name.toLowerCase(), name[0]?.toUpperCase() + name.slice(1), ` ${name}`, `${name} `],
        ...[`${name}\u0000`, `\u0000${name}`, `${name}\n`, `\ufeff${name}`, `${name}\u200b`, `_${name}`, `${name}_`],
        ...[
          `${name}1`,
          `${name}*`,
          `${name}/`,
          `/${name}`,
          `wallet/${name}`,
          `rpc.${name}`,
          `${name}.x`,
          `${name},stop`,
        ],
        ...[name.replace('e', 'е'), name.replace('i', 'ı'), name.replace('s', 'ſ'), name.replace('t', 'ｔ')],
        ...[`eth_${name}`, `${name}${name}`, name.slice(1), name.slice(0, -1), [...name].join('\u00ad')],
      ]);
      expect(others.filter((name) => !known.has(name) && open(name) !== 'blocked')).toEqual([]);
    });

    test('only methods on the list are forwarded, for any input', () => {
      const piece = fc.constantFrom(
        ...forwarded,
        ...heavy,
        ...blocked,
        ' ',
        '\u0000',
        '_',
        '.',
        'x',
        'T',
        '__proto__',
        'constructor',
      );
      const name = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.array(piece, { maxLength: 3 }).map((pieces) => pieces.join('')),
      );
      fc.assert(
        fc.property(name, (method) => {
          expect(open(method)).toBe(known.has(method) ? 'forward' : 'blocked');
          expect(open(method)).toBe(known.has(method) ? 'forward' : 'blocked');
        }),
        { numRuns: 3000 },
      );
    });

    test('only heavy methods can be enabled', () => {
      for (const pattern of heavy) expect(enableProblem(methods, pattern)).toBeUndefined();
      for (const pattern of [
        ...forwarded,
        ...blocked,
        '*',
        '',
        '**',
        'get*s',
        '.*',
        'getProgramAccounts|stop',
        'trace_*',
      ]) {
        if (heavy.some((each) => each.toLowerCase() === pattern.toLowerCase())) continue;
        expect([pattern, enableProblem(methods, pattern)]).toEqual([pattern, expect.any(String)]);
        const policy = createMethodPolicy(methods, [pattern]);
        for (const method of [...heavy, ...blocked]) expect(policy(method)).toBe(closed(method));
      }
    });

    test('a pattern opens the heavy methods that it covers, and no method that is blocked', () => {
      const policy = createMethodPolicy(methods, ['get*']);
      for (const method of heavy) expect(policy(method)).toBe('forward');
      for (const method of blocked) expect(policy(method)).toBe('blocked');
    });

    test('every method that submits nothing may be repeated (contract/retries#reads), and every method that shares a connection is a read that is always forwarded', () => {
      expect(forwarded.filter((method) => !reads.has(method))).toEqual(
        forwarded.filter((method) => method.startsWith('send')),
      );
      expect([...quick].filter((method) => !forwarded.includes(method) || !reads.has(method))).toEqual([]);
    });
  },
);
