/** Filter rules about meaning: requests for secrets, and instructions to agents, by phrases in a few languages (contract/flow-apps#content-filter). */

import { readText, type TextReading } from './content-filter-text.ts';
import { offersMoreBack } from './doubling-offers.ts';
import { holdsSecret } from './exposed-secrets.ts';
import type { Finding } from './finding.ts';
import { phraseLists } from './phrases/all-phrases.ts';
import { occursIn, type Phrase, type PhraseList } from './phrases/phrase.ts';
import type { Sentence, WordPattern } from './phrases/word-pattern.ts';

export function secretRequestFinding(text: TextReading): Finding {
  return says(text, 'secretRequests') || phraseLists.some((list) => isSecretLabel(text, list)) ? 'refuse' : undefined;
}

const patterns: readonly RegExp[] = [
  /<\|[a-z0-9_ -]{2,40}\|?>|\|>\s{0,8}(?:system|user|assistant)\b|<<\/?sys>>|\[\/?inst\]|\[\/?(?:system|tool_calls?|available_tools|system_prompt)\]/i,
  /<\/?(?:system|assistant|human|user|tool_?(?:call|use|result|response)s?|function_?(?:call|result)s?|invoke|antml|important|instructions?|thinking|think|start_of_turn|end_of_turn)\b/i,
  /(?:^|\n)\s{0,8}#{1,6} ?(?:system|assistant|(?:new )?instructions?|tool)\s{0,3}:?\s{0,8}(?:\n|$|:)/i,
  /(?:^|\n)\s{0,8}#{1,6} ?response\s{0,3}:\s{0,8}(?:\n|$)/i,
  /(?:^|\n)\s{0,8}```\s{0,3}(?:system|assistant|tool_code|tool_call)\b/i,
  /(?:^|\n)\s{0,8}(?:human|assistant|ai)\s?: ?\S[^\n]{0,500}\n\s{0,8}(?:human|assistant|ai|user)\s?:/i,
  /(?:^|\n)\s{0,8}(?:system|developer|assistant)\s?: ?(?:you|ignore|disregard|the (?:user|assistant)|please|always|never|from now|new|override|execute|call|send|transfer|approve|do|sure|i (?:will|am|have|can))\b/i,
  /["'](?:tool_calls?|function_call|tool_use|tool_choice)["']\s{0,8}:|(?:^|\s)(?:tool|function)_calls?\s{0,3}:/i,
  /["']type["']\s{0,8}:\s{0,8}["'](?:tool_use|tool_call|tool_result|function_call)["']/i,
  /(?:end|begin|start) of (?:user|system|developer) (?:input|prompt|message|instructions)/i,
  /["'](?:role|from)["']\s{0,8}:\s{0,8}["'](?:system|assistant|developer|tool)["']\s{0,8},\s{0,8}["'](?:content|value|text)["']/i,
  /\{\s{0,8}["']?(?:name|tool|function|action)["']?\s{0,8}:\s{0,8}["'][a-z0-9_.-]{1,64}["']\s{0,8},\s{0,8}["']?(?:arguments|parameters|params|input|args|tool_input)["']?\s{0,8}:/i,
  /(?:next (?:action|step|call)|tool (?:output|result|call)|observation)\s?:[^\n]{0,60}(?:call|invoke|run|execute) `?[a-z]{2,20}_[a-z]/i,
  /["']method["']\s{0,8}:\s{0,8}["']tools\//i,
  /["'][_a-z]{0,20}(?:instructions?|prompt|note|message)_?(?:for|to)_?(?:ai|llms?|agents?|assistants?|models?)["']\s{0,8}:/i,
];

/** A cheap test: every pattern requires one of these. */
const needed = /[<[#`:|]| of (?:user|system|developer) /i;

/** Separators of turns in prompts and frames of tool calls, in the formats of common models. */
function hasPromptSyntax(text: string): boolean {
  return needed.test(text) && patterns.some((pattern) => pattern.test(text));
}

export function instructionFinding(text: TextReading): Finding {
  return hasPromptSyntax(text.normal) ||
    secretFile.test(text.normal) ||
    says(text, 'agentInstructions') ||
    hidesInstruction(text.normal)
    ? 'refuse'
    : undefined;
}

/** Files and variables with secrets of the machine on which an agent runs; not public keys. */
const secretFile =
  /(?:~|\/home\/\w{1,32}|\/root|\$HOME)\/\.(?:ssh|aws|gnupg|config|ethereum|solana|bitcoin|netrc|kube)\b(?![\w/.-]{0,80}\.pub)|(?<![\w.])id_(?:rsa|ed25519|ecdsa)(?!\.pub|\w)|\/etc\/(?:passwd|shadow)|(?<!\w)wallet\.dat|(?:read|open|cat|print|send|include|upload|attach|paste|hand|give|share|show|provide|post|drop|contents? of)[^\n.]{0,30}\s\.env(?!\w)/i;

/** Base64 or hexadecimal digits of a text; keys and signatures decode to other bytes. */
const encodedText = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{40,}={0,2}/g;

/** Whether a text contains a hostile text in Base64 or hexadecimal digits, which agents can read. */
function hidesInstruction(normal: string): boolean {
  for (const [encoded] of normal.matchAll(encodedText)) {
    const [, hex] = /^(?:0x)?((?:[0-9a-f]{2})+)$/i.exec(encoded) ?? [];
    const decoded = hex === undefined ? Buffer.from(encoded, 'base64') : Buffer.from(hex, 'hex');
    const plain = decoded.toString('utf8');
    if (/[[\p{Cc}\ufffd]--[\t\n\r]]/v.test(plain) || !/\p{L} \p{L}+ |\p{Script=Han}{4}/u.test(plain)) continue;
    const text = readText(plain);
    if (says(text, 'agentInstructions') || says(text, 'secretRequests') || says(text, 'frauds') || holdsSecret(plain))
      return true;
  }
  return false;
}

export function fraudFinding(text: TextReading): Finding {
  return poses.some((pattern) => pattern.test(text.normal)) || offersMoreBack(text.normal) || says(text, 'frauds')
    ? 'refuse'
    : undefined;
}

/** Names of wallets with a support team, and contacts on messengers, which are the same in every language. */
const poses: readonly RegExp[] = [
  /(?<![\p{L}])(?:flowgate|metamask|ledger|trezor|coinbase|binance|kraken|phantom|trust ?wallet|uniswap|opensea|walletconnect)(?:['’]s)?[ -](?:\p{L}{1,20} ){0,2}(?:support|soporte|suporte|supporto|destek|admin|administrator|security|sécurité|seguridad|segurança|sicherheit|team|équipe|equipo|équipe|help ?desk|kundendienst|compliance|поддержк|служб|客服|支持|サポート|고객)/iu,
  /(?:support(?! for )|soporte|suporte|supporto|équipe|equipe|equipo|squadra|team|kundendienst|служба|поддержка|assistance|assistenza|service client|security)(?: \p{L}{1,20}){0,3} (?:flowgate|metamask|ledger|trezor|coinbase|binance|kraken|phantom|walletconnect)/iu,
  /(?:whatsapp|telegram|signal|viber|wechat|微信|電話|电话)[^\n]{0,40}?(?:\+\d[\d ()-]{6,20}|@[a-z0-9_]{4,32})/i,
  /(?:\+\d[\d ()-]{6,20}|@[a-z0-9_]{4,32})[^\n]{0,20}?(?:whatsapp|telegram|signal|viber|wechat)/i,
];

type Kind = 'secretRequests' | 'agentInstructions' | 'frauds';

/** A phrase, and the list to which it belongs. */
type Listed = { readonly phrase: Phrase; readonly list: PhraseList };

/** Phrases by their last part, so that the cost of a sentence depends on what it contains. */
type Endings = Readonly<Record<PhraseList['reading'], ReadonlyMap<WordPattern, readonly Listed[]>>>;

const endings: Readonly<Record<Kind, Endings>> = {
  secretRequests: endingsOf('secretRequests'),
  agentInstructions: endingsOf('agentInstructions'),
  frauds: endingsOf('frauds'),
};

function endingsOf(kind: Kind): Endings {
  const within = (reading: PhraseList['reading']) => {
    const lists = phraseLists.filter((list) => list.reading === reading);
    const listed = lists.flatMap((list) => list[kind].map((phrase): Listed => ({ phrase, list })));
    return Map.groupBy(listed, ({ phrase }) => lastPart(phrase));
  };
  return { latin: within('latin'), words: within('words') };
}

function lastPart({ phraseId, parts }: Phrase): WordPattern {
  const last = parts.at(-1);
  if (last === undefined) throw new Error(`the phrase ${phraseId} has no parts`);
  return last;
}

function says(text: TextReading, kind: Kind): boolean {
  for (const reading of ['latin', 'words'] as const)
    for (const [at, sentence] of text.sentences({ reading }).entries())
      for (const pattern of sentence.found.keys())
        if (
          endings[kind][reading]
            .get(pattern)
            ?.some(({ phrase, list }) => occursIn(text.sentences({ reading }), at, phrase, list))
        )
          return true;
  return false;
}

/** Longer texts are not labels. */
const maxLabelLength = 120;

/** Whether a text is only the name of a secret: `Private key (hex)`. */
function isSecretLabel(text: TextReading, list: PhraseList): boolean {
  const sentences = text.sentences(list);
  return (
    sentences.length > 0 &&
    sentences.reduce((sum, sentence) => sum + sentence.text.length, 0) <= maxLabelLength &&
    sentences.some(({ found }) => found.has(list.secret)) &&
    sentences.every((sentence) => isCovered(sentence, [list.secret, list.labelFillers]))
  );
}

/** Whether every word belongs to one of the patterns. */
function isCovered({ text, found }: Sentence, patterns: readonly WordPattern[]): boolean {
  const rest = [...text];
  for (const pattern of patterns) for (const { start, end } of found.get(pattern) ?? []) rest.fill(' ', start, end);
  return !/[\p{L}\p{N}]/u.test(rest.join(''));
}

/** Whether a text names a secret without explaining it. */
export function namesSecret(text: TextReading): boolean {
  const has = (pattern: 'secret' | 'explains') =>
    phraseLists.some((list) => text.sentences(list).some(({ found }) => found.has(list[pattern])));
  return has('secret') && !has('explains');
}

/** Whether a text ends in the middle of a sentence. */
export const isUnfinished = (text: TextReading): boolean =>
  phraseLists.some((list) => text.sentences(list).at(-1)?.found.has(list.unfinished));
