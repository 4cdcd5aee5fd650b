/** Filter rule about requests for what gives a wallet away: seed phrases and private keys. Warnings about them, which good apps are full of, pass. */

import type { TextReading } from './content-filter-text.ts';
import { asksForSecretElsewhere } from './filter-secret-phrases.ts';

const noun = [
  '(?:(?:seed|recovery|recover|back ?up|secret|mnemonic|wallet|restore|srp|bip ?39) ?){1,4}(?:pass ?phrases?|phrases?|mnemonics?|sentences?)',
  '(?:seed|recovery|back ?up|mnemonic|wallet|bip ?39) ?(?:seed )?words?',
  'mnemonics?(?: ?(?:words?|codes?|seeds?))?',
  '(?:wallet|secret recovery|bip ?39|recovery|back ?up|master) ?seeds?',
  '(?:12|15|18|21|24|twelve|fifteen|eighteen|twenty ?one|twenty ?four) ?(?:secret |seed |recovery |back ?up |magic |mnemonic |english )?(?:words?|word (?:recovery |secret |seed |back ?up )?(?:phrases?|keys?))',
  '(?:private|priv|pvt|(?<!api |webhook |stripe )secret|spending|master) ?keys?',
  'wallet(?: s)? (?:secrets?|passwords?|pass ?phrases?|keys?)',
  'key ?stores?(?: ?(?:files?|json|passwords?))?',
  '(?<=(?:your|ur|wallet) )seed(?= ?(?:$|[.,!?]|(?:to|in|into|here|below|now)(?![a-z])))',
  'xprv|wif keys?|(?<=(?:your|the|wallet) )srp',
].join('|');

const nounAlone = new RegExp(`(?:${noun})(?![a-z])`, 'g');

/** Any word but those that turn a request into something else: a warning, a question whether a backup was made. */
const gapWord =
  '(?!(?:never|not|no|nor|without|instead|rather|than|that|whether|if|who|which|because|while|but|keep|keeps|kept|safe|safely|protects?|hides?|secures?|stays?|remains?|leaves?|stored?|storing|saved?|saving|wrote|written|backed|exposing|revealing|sharing|leaving|keeping|lose|losing|lost|public) )[a-z0-9$@]{1,30} ';

const verbs =
  'enter|re ?enter|type|input|insert|paste|copy|provide|submit|share|send|give|tell|show|reveal|disclose|supply|fill|import|upload|export|confirm|verify|validate|sync|synchroni[sz]e|scan|dictate|read out|reply|respond|dm|(?:message|text|email|mail|post) (?:us|me)|hand|drop|put|key in|need|needs|require|requires|request|requests|(?:we|i|support|our team|our agent|you) (?:(?!never|not|no|don|won|can)[a-z]{1,12} ){0,3}ask(?:s|ed)? (?:you )?for|want|wants|collect|restore|recover|unlock|log ?in|sign in|connect|prepare|present|state|specify|retrieve|authenticate|have ready|(?:by|start|begin|continue|try|finish) (?:entering|typing|pasting|providing|submitting|sharing|sending|giving|importing|uploading|confirming|verifying)';

/** What is asked for, at most six words after the verb that asks. */
const request = new RegExp(`(?<![a-z])(?:${verbs})(?![a-z])[,:]? (?:${gapWord}){0,6}?(?:${noun})(?![a-z])`, 'g');

const question = new RegExp(
  `(?<![a-z])what ?(?:s|is|are|was)? (?:[a-z]{1,20} ){0,2}(?:your|ur|ya) (?:[a-z0-9]{1,20} ){0,2}(?:${noun})(?![a-z])`,
);

/** The other way round: `your seed phrase is required`. */
const demand = new RegExp(
  `(?:${noun})(?![a-z])[,:]? ?(?:${gapWord}){0,4}?(?:required|needed|necessary|mandatory|requested|must be (?:entered|given|provided|verified|confirmed)|has to be (?:entered|given)|needs to be (?:entered|given)|please|(?:in ?to )?(?:the )?(?:box |field )?(?:here|below)(?= ?(?:$|[.!:\\n]))|to (?:continue|proceed|unlock|claim|verify|receive|restore|validate|activate|withdraw|log ?in|sync))(?![a-z])`,
  'g',
);

const fill =
  '(?:ever|to|you|your|we|i|us|them|will|would|should|shall|can|could|may|need|have|has|ask|asks|asked|asking|anyone|anybody|any|for|from|or|nor|also|please|be|must|request|requests|require|requires|required|share|send|type|enter|paste|reveal|give|disclose|show|tell|submit|provide|copy|upload|export|input|import|store|post|legitimate|genuine|real|support|team|staff|member|members|agent|site|website|app|dapp|company|service|of|our|the|a|in|at|this|step|flow|is|are|let|does)';

/** Who is told not to, or who is warned about: `never share`, `nobody will ask you to enter`, `scammers who ask you to send`. */
const harmlessBefore = [
  new RegExp(
    `(?<![a-z])(?:never|not|no|nobody|no one|none|neither|don t|dont|doesn t|doesnt|won t|wont|can t|cant|cannot|shouldn t|mustn t|needn t|isn t|avoid|without|refuse|stop)(?: ${fill}){0,9} $`,
  ),
  new RegExp(
    `(?<![a-z])(?:anyone|anybody|someone|somebody|whoever|scammers?|attackers?|fraudsters?|thieves|strangers?|impostors?|phishers?|(?:phishing |fake |scam |malicious )?(?:sites?|websites?|pages?|apps?|messages?|emails?|people|calls?|links?))(?: (?:who|that|which|may|might|will|can|could|often|always|usually|then|pretending|pretend|be|us|support|and|from|ever|a|the|${fill.slice(3, -1)})){0,7} (?:asks?|asking|tells?|telling|wants?|wanting|requests?|requesting|tr(?:y|ies|ying)|tricks?|tricking|begs?)(?: (?:get|make|lure|into|${fill.slice(3, -1)})){0,6} $`,
  ),
];

export function asksForSecret({ latin, words, flat, isAscii }: TextReading): boolean {
  if (asksForSecretElsewhere(words, latin, isAscii)) return true;
  return hasNoun.test(flat) && (isNothingElse(latin) || asksInEnglish(flat));
}

/** One cheap pass for what has no such noun in it. */
const hasNoun = /phrase|sentence|mnemonic|seed|words|key|xprv|srp|wallet s? ?(?:secret|pass)/;

function asksInEnglish(latin: string): boolean {
  if (question.test(latin)) return true;
  for (const { index } of latin.matchAll(request)) if (!isHarmless(latin, index)) return true;
  for (const { index } of latin.matchAll(demand)) if (!isKept(latin, index)) return true;
  return false;
}

/** The sentence up to there. */
function before(latin: string, index: number): string {
  const start = latin.slice(Math.max(0, index - 160), index);
  return start.slice(Math.max(...['.', '!', '?', ';'].map((end) => start.lastIndexOf(end))) + 1).replaceAll(',', '');
}

function isHarmless(latin: string, index: number): boolean {
  const sentence = before(latin, index);
  return harmlessBefore.some((pattern) => pattern.test(sentence));
}

function isKept(latin: string, index: number): boolean {
  return /(?<![a-z])(?:no|never|not|without|neither|keep|store|save|protect|back up|public|don t)(?: [a-z]{1,20}){0,4} $/.test(
    before(latin, index),
  );
}

const besides =
  /^(?:your|ur|my|the|an?|of|for|in|to|wallets?|accounts?|users?|s|crypto|eth|ethereum|solana|bitcoin|btc|evm|meta ?mask|ledger|trezor|phantom|full|complete|current|existing|hex|raw|optional|required|here|below|field|input|value|text|box|enter|please|confirm|repeat|type|paste|import|provide|owner|sender|signer|deployer|or|and|word|words|phrase|seed|with|\d)*$/;

/** A label, an id or a line that is the noun alone asks for it: what else would a form do with it? */
function isNothingElse(latin: string): boolean {
  return latin.split('\n').some((line) => {
    if (line.length > 80) return false;
    const rest = line.replace(nounAlone, ' ');
    return rest !== line && rest.split(/[^a-z0-9]+/).every((word) => word.length <= 24 && besides.test(word));
  });
}
