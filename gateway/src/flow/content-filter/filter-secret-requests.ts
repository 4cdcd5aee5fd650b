/** Filter rule against requests for a wallet's secrets: seed phrases, private keys, key files and their passwords. Warnings about such requests, which good apps contain, pass. */

import type { TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';
import { is, type KnownWord, type KnownWords, languagesWith } from './known-words.ts';
import type { Kind } from './lexicon.ts';
import { after, before } from './nearby-words.ts';

/** The most unknown words between related words. */
const reach = { ask: 8, need: 5, what: 4, warning: 14, wallet: 6, denial: 10 };

type Demand = 'ask' | 'askIt' | 'need';

const verbLast = languagesWith('verbLast');
const closeDenials = languagesWith('closeDenials');

export function asksForSecret({ known }: TextReading): Finding {
  let flagged: Finding;
  for (const text of known) {
    const finding = judged(text);
    if (finding === 'refuse') return finding;
    flagged ??= finding;
  }
  return flagged;
}

function judged(text: KnownWords): Finding {
  const { words } = text;
  let flagged: Finding;
  for (const word of words) {
    const at = word.index;
    if (isShownByWallet(words, word)) return 'refuse';
    if (is(word, 'secret') === 0) continue;
    if (isDemanded(words, word) || isLabel(text, at)) return 'refuse';
    if (flagged === undefined && !isExplained(words, at)) flagged = 'flag';
  }
  return flagged;
}

/** `the words that your wallet showed you` describes a seed phrase. */
function isShownByWallet(words: readonly KnownWord[], word: KnownWord): boolean {
  const languages = is(word, 'pieces');
  if (languages === 0) return false;
  const near = [...before(words, word.index, reach.wallet), ...after(words, word.index, reach.wallet)];
  const has = (kind: Kind) => near.some((each) => (is(each, kind) & languages) !== 0);
  return has('wallet') && has('shown') && isDemanded(words, word);
}

/** The sentence says what good apps say about secrets, or denies something. */
function isExplained(words: readonly KnownWord[], at: number): boolean {
  const near = [...before(words, at, reach.warning), ...after(words, at, reach.warning)];
  return near.some((word) =>
    (['deny', 'keep', 'warned', 'fraud', 'what'] as const).some((kind) => is(word, kind) !== 0),
  );
}

function isDemanded(words: readonly KnownWord[], noun: KnownWord): boolean {
  const at = noun.index;
  return isAskedBefore(words, noun, at) || isAskedAfter(words, noun, at) || isQuestion(words, at);
}

/** `enter your seed phrase`, `se requiere tu clave privada`. */
function isAskedBefore(words: readonly KnownWord[], noun: KnownWord, at: number): boolean {
  let governing = 0;
  for (const word of before(words, at, reach.ask)) {
    if (is(word, 'ask') !== 0) {
      // The nearest verb governs the noun, unless it is in another clause or language.
      if (governing !== 0 && (word.clause !== noun.clause || (is(word, 'ask') & governing) === 0)) return false;
      if (!isHarmless(words, word.index, at) && !(is(word, 'either') !== 0 && isKept(words, at))) return true;
      governing = is(word, 'ask');
    } else if (is(word, 'keep') !== 0) return false;
    else if ((is(word, 'need') & ~closeDenials) !== 0 && noun.first - word.last <= reach.need) {
      const isKeptAfter = after(words, at, reach.ask).some((each) => is(each, 'keep') !== 0);
      if (!isKeptAfter && !isHarmless(words, word.index, at, 'need')) return true;
    }
  }
  return false;
}

/** `write your seed phrase down`, `confirm that your seed phrase is backed up`. */
const isKept = (words: readonly KnownWord[], at: number): boolean =>
  after(words, at, 3).some((word) => is(word, 'keep') !== 0);

/** `your seed phrase is required`, `Seed-Phrase eingeben`. */
function isAskedAfter(words: readonly KnownWord[], noun: KnownWord, at: number): boolean {
  for (const word of after(words, at, reach.ask)) {
    if (is(word, 'askIt') !== 0 && !isHarmless(words, word.index, at, 'askIt')) return true;
    if (is(word, 'keep') !== 0) return false;
    if ((is(word, 'ask') & verbLast) !== 0 && !isHarmless(words, word.index, at)) return true;
    if (
      is(word, 'need') !== 0 &&
      word.first - noun.last - 1 <= reach.need &&
      !isHarmless(words, word.index, at, 'need') &&
      !isDeniedNoun(words, at, word.index)
    )
      return true;
    if (
      is(word, 'ask') !== 0 &&
      word.first - noun.last <= 3 &&
      word.colon !== noun.colon &&
      !isDenied(words, word.index, 'ask')
    )
      return true;
  }
  return false;
}

/** `no private key is required`, `your private key is not needed`. */
function isDeniedNoun(words: readonly KnownWord[], at: number, demand: number): boolean {
  return (
    before(words, at, 4).some((word) => is(word, 'deny') !== 0 && word.clause === words[at]?.clause) ||
    words.slice(at + 1, demand).some((word) => is(word, 'deny') !== 0)
  );
}

/** `what is your seed phrase`. `What is a seed phrase` is harmless. */
function isQuestion(words: readonly KnownWord[], at: number): boolean {
  const left = before(words, at, reach.what);
  const right = after(words, at, reach.what);
  const owned = [...left, ...right.slice(0, 1)].reduce((languages, word) => languages | is(word, 'yours'), 0);
  return [...left, ...right].some((word) => (is(word, 'what') & owned) !== 0);
}

/** Denied, said of scammers, or called a fraud. */
function isHarmless(words: readonly KnownWord[], verb: number, at: number, kind: Demand = 'ask'): boolean {
  if (isDenied(words, verb, kind)) return true;
  const word = words[verb];
  if (word === undefined) return true;
  // `here` and `below` address the reader and are not said about others.
  const [next] = after(words, at, 2);
  const isHere = next !== undefined && next !== word && (is(next, 'need') & is(word, kind)) !== 0;
  if (isHere) return false;
  return (
    before(words, verb, reach.warning).some(
      // A warning ends at a comma.
      (each) => each.clause === word.clause && (is(each, 'warned') & is(word, kind)) !== 0,
    ) || after(words, verb, reach.warning).some((each) => is(each, 'fraud') !== 0)
  );
}

const passedOver: readonly Kind[] = [
  'filler',
  'ask',
  'deny',
  'yours',
  'warned',
  'secret',
  'keep',
  'user',
  'self',
  'tell',
  'order',
  'may',
];

function isDenied(words: readonly KnownWord[], verb: number, kind: Demand): boolean {
  const word = words[verb];
  if (word === undefined) return false;
  const languages = is(word, kind);
  // Some verb forms contain the denial.
  if ((is(word, 'deny') & languages) !== 0) return true;
  if ((languages & closeDenials) !== 0 && isCloselyDenied(words, verb, word, languages & closeDenials)) return true;
  const elsewhere = languages & ~closeDenials;
  return elsewhere !== 0 && isDeniedInClause(words, verb, word, elsewhere);
}

/** `never enter, share or send`: only fillers stand between the denial and the verb. */
function isCloselyDenied(words: readonly KnownWord[], verb: number, word: KnownWord, languages: number): boolean {
  let next = word;
  for (const each of before(words, verb, reach.denial)) {
    if (next.first - each.last !== 1 || each.colon !== word.colon) return false;
    // `we never store it, and type it in` has two statements; `never type, and never send it` has one.
    if (each.clause !== next.clause && isConjunction(next, languages) && is(each, 'ask') === 0) return false;
    if ((is(each, 'deny') & languages) !== 0) return true;
    if (!passedOver.some((kind) => is(each, kind) !== 0)) return false;
    next = each;
  }
  return false;
}

/** When the verb comes first, a denial after it is about something else: `saisissez votre phrase sans crainte`. */
function isDeniedInClause(words: readonly KnownWord[], verb: number, word: KnownWord, languages: number): boolean {
  const isFree = (languages & verbLast) !== 0;
  for (const side of [
    before(words, verb, reach.denial),
    after(words, verb, isFree ? reach.denial : 0).slice(0, isFree ? undefined : 1),
  ])
    for (const each of side) {
      if (each.clause !== word.clause || isConjunction(each, languages)) break;
      if ((is(each, 'deny') & languages) !== 0) return true;
    }
  return false;
}

const isConjunction = (word: KnownWord, languages: number): boolean => (is(word, 'and') & languages) !== 0;

const besides: readonly Kind[] = ['secret', 'ask', 'need', 'yours', 'filler', 'and'];

/** A line that consists of the noun alone is a form's request for it. */
function isLabel({ words, labelWords }: KnownWords, at: number): boolean {
  const label = words[at]?.label;
  if (label === undefined) return false;
  const total = labelWords[label] ?? 0;
  if (total > 14) return false;
  let covered = 0;
  for (let index = at; words[index]?.label === label; index--) covered += besideWords(words[index]);
  for (let index = at + 1; words[index]?.label === label; index++) covered += besideWords(words[index]);
  return covered >= total;
}

function besideWords(word: KnownWord | undefined): number {
  if (word === undefined) return 0;
  if (is(word, 'deny') !== 0 || is(word, 'keep') !== 0) return 0;
  return besides.some((kind) => is(word, kind) !== 0) ? word.last - word.first + 1 : 0;
}
