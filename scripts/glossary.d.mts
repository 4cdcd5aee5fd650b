export type Glossary = {
  /** Of the second column. */
  readonly words: readonly string[];
  /** Texts that are not checked. */
  readonly allowed: readonly string[];
  readonly skippedPaths: readonly string[];
};

export function readGlossary(page: string): Glossary;

/** The words of the glossary in a line, each as often as it occurs. */
export function wordFinder(glossary: Pick<Glossary, 'words' | 'allowed'>): (line: string) => string[];
