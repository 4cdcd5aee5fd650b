/** The heads of a pattern: how its matches begin. Reading them is fast, because the first text of a process waits for the heads of a thousand patterns. */

/**
 * A part of a pattern and whether it may be absent. `text`: these letters. `letters`: one of them. `group`: one of its alternatives. `nothing`: matches no character. `blank`: the end
 * of a word. `varying`: anything else.
 */
type Atom = { readonly isOptional: boolean } & (
  | { readonly kind: 'text' | 'letters'; readonly letters: string }
  | { readonly kind: 'group'; readonly alternatives: readonly Alternative[] }
  | { readonly kind: 'nothing' | 'blank' | 'varying' }
);
type Alternative = readonly Atom[];

/** The rest of a pattern: the atoms from `at` on, and then what follows the group that they are in. */
type Following = { readonly atoms: Alternative; readonly at: number; readonly next: Following | undefined };

/** `isWhole`: the head is a whole word. Otherwise words begin with it. */
type Report = (head: string, isWhole: boolean) => void;

/** Reports each head, some more than once: up to the first space, or the first character that may vary. Each ideograph and each hiragana is a word. */
export function readHeads(source: string, report: Report): void {
  for (const atoms of parse(source)) follow({ atoms, at: 0, next: undefined }, '', report);
}

const ideographOrHiragana = /^[\p{Script=Han}\p{Script=Hiragana}]/u;

function follow(following: Following | undefined, head: string, report: Report): void {
  const atom = following?.atoms[following.at];
  if (following === undefined) {
    report(head, true);
  } else if (atom === undefined) {
    follow(following.next, head, report);
  } else {
    const after = { atoms: following.atoms, at: following.at + 1, next: following.next };
    if (atom.isOptional || atom.kind === 'nothing') follow(after, head, report);
    followAtom(atom, after, head, report);
  }
}

function followAtom(atom: Atom, after: Following, head: string, report: Report): void {
  if (atom.kind === 'nothing') return;
  if (atom.kind === 'group') {
    for (const atoms of atom.alternatives) follow({ atoms, at: 0, next: after }, head, report);
  } else if (atom.kind === 'text' || atom.kind === 'letters') {
    for (const letters of atom.kind === 'text' ? [atom.letters] : atom.letters)
      if (head === '' && ideographOrHiragana.test(letters)) report(letters.charAt(0), true);
      else follow(after, head + letters, report);
  } else {
    report(head, atom.kind === 'blank');
  }
}

/** The beginning of a group, a class, an escape, or one character. */
const token = /\(\?:|\(\?<?[=!]|\[[^\][]*\]|\\p\{[^}\\]*\}|\\.|./suy;
const quantifier = /[?*+]|\{\d+(?:,\d*)?\}/y;
/** Everything up to a group or to the end of an alternative. */
const ungrouped = /(?:[^()|[\\]|\[[^\][]*\]|\\.)*/suy;

/** The alternatives of a pattern, without the atoms that no head reaches. */
function parse(source: string): readonly Alternative[] {
  let at = 0;
  const read = (pattern: RegExp): string => {
    const from = at;
    pattern.lastIndex = at;
    if (pattern.test(source)) at = pattern.lastIndex;
    return source.slice(from, at);
  };
  const readAlternatives = (): readonly Alternative[] => {
    const alternatives = [readAlternative()];
    for (; source[at] === '|'; alternatives.push(readAlternative())) at++;
    return alternatives;
  };
  const readAlternative = (): Alternative => {
    const atoms: Atom[] = [];
    let isEnded = false;
    while (at < source.length && source[at] !== '|' && source[at] !== ')') {
      const atom = readText() ?? readAtom();
      if (isEnded) read(ungrouped);
      else atoms.push(atom);
      isEnded ||= !atom.isOptional && (atom.kind === 'blank' || atom.kind === 'varying');
    }
    return atoms;
  };
  /** Letters without quantifiers, which most patterns consist of. */
  const readText = (): Atom | undefined => {
    const from = at;
    while (isLetter(source.charCodeAt(at)) && !quantifiers.includes(source.charAt(at + 1) || '-')) at++;
    return at === from ? undefined : { kind: 'text', letters: source.slice(from, at), isOptional: false };
  };
  const readAtom = (): Atom => {
    const begun = read(token);
    const alternatives = begun.startsWith('(') ? readAlternatives() : [];
    if (begun.startsWith('(') && source[at++] !== ')') throw new Error(`a group of a pattern has no end: ${source}`);
    const times = quantifiers.includes(source.charAt(at) || '-') ? read(quantifier) : '';
    const isOptional = times.startsWith('?') || times.startsWith('*') || times.startsWith('{0');
    if (begun === '(?:') return { kind: 'group', alternatives, isOptional };
    if (begun === '^' || begun === '$' || begun.startsWith('(?')) return { kind: 'nothing', isOptional };
    if (begun === ' ') return { kind: 'blank', isOptional };
    const letters = begun.startsWith('[') ? begun.slice(1, -1) : begun;
    const isPlain = (times === '' || times === '?') && /^[\p{L}\p{N}]+$/u.test(letters);
    return isPlain ? { kind: 'letters', letters, isOptional } : { kind: 'varying', isOptional };
  };
  const alternatives = readAlternatives();
  if (at < source.length) throw new Error(`a group of a pattern has no beginning: ${source}`);
  return alternatives;
}

const quantifiers = '?*+{';

/** Most patterns are ASCII, for which a comparison is enough. */
const isLetter = (code: number): boolean =>
  code < 0x80
    ? (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a)
    : /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
