/**
 * Texts as Flow Apps send them, from the corpora of the content filter: texts that each rule must refuse or flag, and
 * texts that must be accepted.
 */

type RuleTexts = Readonly<Record<string, readonly string[]>>;

type Corpus = { readonly refused: RuleTexts; readonly flagged: RuleTexts; readonly accepted: readonly string[] };

const corpus: Corpus = await Bun.file(new URL('../../content-filter/corpora/rule-texts.json', import.meta.url)).json();

/** By the id of the rule. */
export const refusedTexts = corpus.refused;

/** Texts that pass with a warning, by the id of the rule. */
export const flaggedTexts = corpus.flagged;

export const acceptedTexts = corpus.accepted;
