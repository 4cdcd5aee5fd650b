/** The word lists of a language for the content filter: words about a wallet's secrets, and about orders to agents. The lists are data; the rules decide what their words mean together. */

/**
 * The kinds of words. Entries of a list are separated by commas; `*` at the end of an entry matches any rest of the word. Accents, capitals and hyphens make no difference.
 */
export type Lists = {
  /** What nobody may be asked for: seed phrases, private keys, wallet passwords, key files. */
  readonly secret: string;
  /** The parts of such a phrase: words. */
  readonly pieces: string;
  readonly wallet: string;
  /** What a wallet does with them: showed, gave. */
  readonly shown: string;
  /** Verbs that ask for something, or say what to do with it so that it is given away. */
  readonly ask: string;
  /** The same with a pronoun: type it. */
  readonly askIt: string;
  /** Verbs of `ask` that are harmless when a word of `keep` follows: write … down, confirm … is stored. */
  readonly either: string;
  /** Words that make a demand of a noun: required, needed, here please. */
  readonly need: string;
  /** Questions for what something is. */
  readonly what: string;
  /** Your, this account's. */
  readonly yours: string;
  /** Conjunctions that separate statements: and, then, but. */
  readonly and: string;
  readonly deny: string;
  /** What good apps say about secrets: keep, lose, write down. Between a verb of `ask` and a noun it separates them. */
  readonly keep: string;
  /** Those who are warned about: scammers, anyone who, a website that. */
  readonly warned: string;
  /** The end of a warning: is a scam. */
  readonly fraud: string;
  /** Words without a meaning of their own, between a denial and its verb, or beside the noun of a label. */
  readonly filler: string;

  /** Verbs that set orders aside: ignore, forget. */
  readonly override: string;
  /** What is set aside: instructions, rules. */
  readonly rules: string;
  /** Which of them: previous, all, system. */
  readonly former: string;
  /** What makes them new: updated, real. */
  readonly fresh: string;
  /** Says that instructions do not count any more: no longer apply. */
  readonly lapsed: string;
  /** Words of permission, which is no order: you can ignore. */
  readonly may: string;
  /** Names for machines that read: AI agent, language model. */
  readonly model: string;
  /** Names that people can have, too: agent, assistant, bot. */
  readonly agent: string;
  /** Forms of address: attention, dear, if you are. */
  readonly address: string;
  /** Orders and modal verbs. */
  readonly order: string;
  /** Verbs of informing the user: tell, ask, show. */
  readonly tell: string;
  /** The same for the one who is informed, in languages with another word for it. */
  readonly told: string;
  /** The person for whom an agent works. */
  readonly user: string;
  /** Authors of a text who speak about themselves: we never ask users. */
  readonly self: string;
  /** Words that assign a role: you are now, act as. */
  readonly become: string;
  readonly role: string;
  /** Verbs that reveal inner texts: print, reveal. */
  readonly reveal: string;
  /** Texts and values that are an agent's own: system prompt, conversation history. */
  readonly inner: string;
  /** Calls of a tool, and tools. */
  readonly call: string;
  readonly tool: string;
  /** Phrases that only address a machine: do anything now, your new task is. */
  readonly fatal: string;
};

export type Kind = keyof Lists;

export type Language = Partial<Lists> & {
  /** ISO 639-1. */
  readonly language: string;
  /** Verbs may follow what they ask for. */
  readonly verbLast?: boolean;
  /** A denial must be next to its verb, except for fillers; in other languages it covers the clause. */
  readonly closeDenials?: boolean;
  /** Words for `word` in numbered labels: word 3. */
  readonly word?: string;
};

export const kinds: readonly Kind[] = [
  'secret',
  'pieces',
  'wallet',
  'shown',
  'ask',
  'askIt',
  'either',
  'need',
  'what',
  'yours',
  'and',
  'deny',
  'keep',
  'warned',
  'fraud',
  'filler',
  'override',
  'rules',
  'former',
  'fresh',
  'lapsed',
  'may',
  'model',
  'agent',
  'address',
  'order',
  'tell',
  'told',
  'user',
  'self',
  'become',
  'role',
  'reveal',
  'inner',
  'call',
  'tool',
  'fatal',
];
