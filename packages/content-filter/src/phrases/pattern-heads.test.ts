import { expect, test } from 'bun:test';
import { readHeads } from './pattern-heads.ts';

function headsOf(source: string): { readonly whole: readonly string[]; readonly begun: readonly string[] } {
  const whole = new Set<string>();
  const begun = new Set<string>();
  readHeads(source, (head, isWhole) => (isWhole ? whole : begun).add(head));
  return { whole: [...whole].sort(), begun: [...begun].sort() };
}

test.each([
  ['a word ends at a blank or at the end of the pattern', 'seed phrase|mnemonic', ['mnemonic', 'seed'], []],
  [
    'a letter, a class or a group may be absent',
    'priv(?:ate)? ?ke[yi]s?',
    [
      'priv',
      'private',
      'privatekei',
      'privatekeis',
      'privatekey',
      'privatekeys',
      'privkei',
      'privkeis',
      'privkey',
      'privkeys',
    ],
    [],
  ],
  ['groups may be within groups', '(?:re(?:in|sub)|sub)mit', ['reinmit', 'resubmit', 'submit'], []],
  ['a group that may be absent leaves what follows it', '(?:the |your ){0,2}user', ['the', 'user', 'your'], []],
  [
    'a word continues where a character varies',
    'schema\\w{0,24}|tes[^t]|ab+|l{2}a',
    ['schema'],
    ['a', 'schema', 'tes', ''],
  ],
  ['nothing is read behind a blank', 'pass (?:word|\\w{1,24}|x+)', ['pass'], []],
  ['anchors and lookarounds match no character', '^only$|(?<!no )secret(?!s)', ['only', 'secret'], []],
  ['each ideograph and each hiragana is a word', '[种種]子词|すぐ|ログ', ['す', '种', '種', 'ログ'], []],
])('%s', (_, source, whole, begun) => {
  expect(headsOf(source)).toEqual({ whole: [...whole].sort(), begun: [...begun].sort() });
});

test.each(['(?:a|b', 'a)b'])('%s, whose groups are not closed, is refused', (source) => {
  expect(() => headsOf(source)).toThrow('a group of a pattern has no');
});
