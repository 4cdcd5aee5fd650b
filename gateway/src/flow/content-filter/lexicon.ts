/** What the content filter knows of a language: its words for what a wallet's keeper must not give away, and for orders to agents. Lists are data; what they mean together is the rules' to say. */

/**
 * What a word or phrase is to the rules. Each list separates its entries by commas; `*` at an entry's end stands for any rest of the word.
 * Accents, capitals and hyphens make no difference.
 */
export type Lists = {
  /** What nobody may be asked for: seed phrases, private keys, wallet passwords, key files. */
  readonly secret: string;
  /** Words, of which such a phrase consists. */
  readonly pieces: string;
  readonly wallet: string;
  /** What a wallet does with them: showed, gave. */
  readonly shown: string;
  /** Verbs that ask for something, or say what to do with it so that it is given away. */
  readonly ask: string;
  /** The same with a pronoun for what was named before: type it. */
  readonly askIt: string;
  /** Those of `ask` that ask for nothing where a word of `keep` follows: write … down, confirm … is stored. */
  readonly either: string;
  /** Words that make a demand of a noun: required, needed, here please. */
  readonly need: string;
  /** Questions for what something is. */
  readonly what: string;
  /** Your, this account's. */
  readonly yours: string;
  /** Where one thing that is said ends and the next begins: and, then, but. */
  readonly and: string;
  readonly deny: string;
  /** What good apps say about secrets: keep, lose, write down. Between a verb that asks and a noun, it parts them. */
  readonly keep: string;
  /** Who is warned about: scammers, anyone who, a website that. */
  readonly warned: string;
  /** The end of a warning: is a scam. */
  readonly fraud: string;
  /** Words without a meaning of their own, between a denial and what it denies, or beside the noun of a label. */
  readonly filler: string;

  /** Verbs that set orders aside: ignore, forget. */
  readonly override: string;
  /** What is set aside: instructions, rules. */
  readonly rules: string;
  /** Which of them: previous, all, system. */
  readonly former: string;
  /** What makes them new: updated, real. */
  readonly fresh: string;
  /** What is said of instructions that are to count no more: no longer apply. */
  readonly lapsed: string;
  /** Permission, which is no order: you can ignore. */
  readonly may: string;
  /** Names for machines that read: AI agent, language model. */
  readonly model: string;
  /** Names that people have, too: agent, assistant, bot. */
  readonly agent: string;
  /** How somebody is addressed: attention, dear, if you are. */
  readonly address: string;
  /** Orders and modal verbs. */
  readonly order: string;
  /** What the one who is helped is kept from: tell, ask, show. */
  readonly tell: string;
  /** The same of whoever is not told, in languages in which that is another word. */
  readonly told: string;
  /** Whom an agent works for. */
  readonly user: string;
  /** Authors of a text who speak about themselves: we never ask users. */
  readonly self: string;
  /** What gives somebody a role: you are now, act as. */
  readonly become: string;
  readonly role: string;
  /** What brings inner texts out: print, reveal. */
  readonly reveal: string;
  /** Texts and values that are an agent's own: system prompt, conversation history. */
  readonly inner: string;
  /** Calls of a tool, and tools. */
  readonly call: string;
  readonly tool: string;
  /** Said to nobody but a machine: do anything now, your new task is. */
  readonly fatal: string;
};

export type Kind = keyof Lists;

export type Language = Partial<Lists> & {
  /** ISO 639-1. */
  readonly language: string;
  /** Verbs may follow what they ask for. */
  readonly verbLast?: boolean;
  /** A denial reaches only over fillers; elsewhere it reaches through its clause. */
  readonly closeDenials?: boolean;
  /** Words for a word, as labels number them: word 3. */
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
