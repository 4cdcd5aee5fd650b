/** Globs over names of methods: `*` matches any characters, also none. Matching takes time linear in the lengths of name and glob. */

export type MethodGlob = {
  readonly glob: string;
  /** Whether it matches one name only. */
  readonly isName: boolean;
  readonly matches: (name: string) => boolean;
};

/** The maximum number of characters of a glob, and of a name that is compared with one. */
export const maxMethodLength = 128;

/** Both sides must be in one letter case. Creating one is cheap until its first comparison: a user may have up to 10,000, and policies change. */
export function createMethodGlob(glob: string): MethodGlob {
  const headEnd = glob.indexOf('*');
  if (headEnd < 0) return { glob, isName: true, matches: (name) => name === glob };
  const lastStar = glob.lastIndexOf('*');
  const [head, tail] = [glob.slice(0, headEnd), glob.slice(lastStar + 1)];
  let borders: Uint16Array | undefined;
  return {
    glob,
    isName: false,
    matches(name) {
      const end = name.length - tail.length;
      if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
      let at = head.length;
      for (let from = headEnd + 1; from <= lastStar && at >= 0; ) {
        const to = glob.indexOf('*', from);
        if (to > from) {
          borders ??= bordersOf(glob);
          at = endOf({ glob, borders, from, to }, name, at, end);
        }
        from = to + 1;
      }
      return at >= 0;
    },
  };
}

/** The text between two `*`, with the table with which a search never steps back (Knuth, Morris, Pratt). */
type Piece = { readonly glob: string; readonly borders: Uint16Array; readonly from: number; readonly to: number };

/** The index after the first occurrence in `name[start, end)`; -1 when none exists. */
function endOf({ glob, borders, from, to }: Piece, name: string, start: number, end: number): number {
  let matched = from;
  for (let at = start; at < end; at++) {
    const unit = name.charCodeAt(at);
    while (matched > from && glob.charCodeAt(matched) !== unit) matched = from + (borders[matched - 1] ?? 0);
    if (glob.charCodeAt(matched) === unit) matched++;
    if (matched === to) return at + 1;
  }
  return -1;
}

/** For each prefix of each piece, the length of its longest border: a prefix that is also a suffix. All pieces share one table, because they can be many. */
function bordersOf(glob: string): Uint16Array {
  const borders = new Uint16Array(glob.length);
  let from = 0;
  let length = 0;
  for (let at = 0; at < glob.length; at++) {
    const unit = glob.charCodeAt(at);
    if (unit === star) from = at + 1;
    if (unit === star || at === from) {
      length = 0;
      continue;
    }
    while (length > 0 && unit !== glob.charCodeAt(from + length)) length = borders[from + length - 1] ?? 0;
    if (unit === glob.charCodeAt(from + length)) length++;
    borders[at] = length;
  }
  return borders;
}

const star = 42;
