/** Filter rule against look-alike letters in words, domain names and addresses (UTS 39). */

import { lookedLike, type TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';
import { imitatedNames } from './known-hosts.ts';

/** Words of letters that look Latin, with a minimum length above that of symbols. */
const lettersThatMix =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}]{3,}/gu;

/** Units of measure and symbols that begin with a Greek letter: `μETH`. */
const withGreekSymbol = /^[\u03b1-\u03c9\u0391-\u03a9\u039e]\p{Script=Latin}+$/u;

export function lookAlikeFinding({ normal, isAscii }: TextReading): Finding {
  if (imitatesInAscii(normal)) return 'refuse';
  if (isAscii) return hasOddAddress(normal) ? 'refuse' : undefined;
  if (hasOddAddress(normal) || mixesScripts(normal) || imitatesInOtherLetters(normal)) return 'refuse';
  return undefined;
}

/** Whether a word mixes Latin letters with look-alikes from other scripts. */
function mixesScripts(normal: string): boolean {
  for (const [word] of normal.matchAll(lettersThatMix))
    if (
      /\p{Script=Latin}/u.test(word) &&
      /\P{Script=Latin}/u.test(word) &&
      !withGreekSymbol.test(word) &&
      !/[^\0-\x7f]/u.test(lookedLike(word))
    )
      return true;
  return false;
}

/** Names of wallets and exchanges in which every letter may be foreign, or has an accent. */
function imitatesInOtherLetters(normal: string): boolean {
  for (const [word] of normal.matchAll(/[\p{L}\p{M}\p{N}]{5,40}/gu))
    if (
      /[^\0-\x7f]/u.test(word) &&
      skeletons(lookedLike(word.normalize('NFKD').replaceAll(/\p{M}/gu, ''))).some(isImitated)
    )
      return true;
  return false;
}

const isImitated = (word: string): boolean => imitatedNames.has(word) && !commonWords.has(word);

/** Names that words of other languages resemble when accents are removed. */
const commonWords = new Set([
  'jupiter',
  'exodus',
  'compound',
  'circle',
  'optimism',
  'tether',
  'argent',
  'phantom',
  'polygon',
  'balancer',
  'electrum',
]);

/** `rnetamask`, `c0inbase`, `paypa1`. */
function imitatesInAscii(normal: string): boolean {
  for (const [word] of normal.matchAll(/(?<![a-z0-9])[a-z0-9]{5,24}(?![a-z0-9])/gi)) {
    const small = word.replaceAll(/(?<=[A-Za-z])I(?=[a-z])/g, 'l').toLowerCase();
    if (small !== word.toLowerCase() && isImitated(small)) return true;
    if (/rn|vv|cl|[01358l]/.test(small) && !imitatedNames.has(small) && skeletons(small).some(isImitated)) return true;
  }
  return false;
}

function skeletons(word: string): readonly string[] {
  const wide = word.replaceAll('rn', 'm').replaceAll('vv', 'w');
  const plain = wide.replaceAll('0', 'o').replaceAll('3', 'e').replaceAll('5', 's').replaceAll('8', 'b');
  return [
    plain,
    plain.replaceAll('1', 'l'),
    plain.replaceAll('1', 'i'),
    plain.replaceAll('l', 'i'),
    plain.replaceAll('cl', 'd'),
  ];
}

/** An address with characters that addresses do not have: `0x` and forty characters that only look hexadecimal, or letters of two scripts. */
function hasOddAddress(normal: string): boolean {
  for (const [word] of normal.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]{25,100}(?![\p{L}\p{N}])/gu)) {
    const shown = lookedLike(word);
    if (/^[0o]x[0-9a-fol]{40}$/.test(shown.replaceAll('i', 'l')) && !/^0x[0-9a-f]{40}$/i.test(word)) return true;
    if (/[^\0-\x7f]/.test(word) && /\d/.test(word) && /^[0-9a-z]+$/.test(shown)) return true;
  }
  return false;
}
