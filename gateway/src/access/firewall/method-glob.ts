/** Globs over the names of methods: `*` stands for any characters, also for none. Matching takes time linear in the lengths of name and glob, whatever they are. */

/** A part of a glob between two `*`, with the table by which a search for it never steps back (Knuth, Morris, Pratt). */
type Piece = { readonly text: string; readonly borders: Uint16Array };

export type MethodGlob = {
  readonly glob: string;
  /** Whether it stands for one name only. */
  readonly isName: boolean;
  readonly matches: (name: string) => boolean;
};

/** The most characters of a glob, and of a name that is compared with one. */
export const maxMethodLength = 128;

/** Both sides must be in one letter case. */
export function createMethodGlob(glob: string): MethodGlob {
  const [head = '', ...rest] = glob.split('*');
  const tail = rest.pop();
  if (tail === undefined) return { glob, isName: true, matches: (name) => name === glob };
  const pieces = rest.filter((text) => text !== '').map((text): Piece => ({ text, borders: bordersOf(text) }));
  return {
    glob,
    isName: false,
    matches(name) {
      const end = name.length - tail.length;
      if (end < head.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
      let at = head.length;
      for (const piece of pieces) {
        at = endOf(piece, name, at, end);
        if (at < 0) return false;
      }
      return true;
    },
  };
}

/** The index after the first occurrence of the piece in `name[from, end)`; -1 when there is none. */
function endOf({ text, borders }: Piece, name: string, from: number, end: number): number {
  let matched = 0;
  for (let at = from; at < end; at++) {
    const unit = name.charCodeAt(at);
    while (matched > 0 && text.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (text.charCodeAt(matched) === unit) matched++;
    if (matched === text.length) return at + 1;
  }
  return -1;
}

/** For each beginning of the text the length of its longest border: a beginning of it that is also its end. */
function bordersOf(text: string): Uint16Array {
  const borders = new Uint16Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text.charCodeAt(at) !== text.charCodeAt(length)) length = borders[length - 1] ?? 0;
    if (text.charCodeAt(at) === text.charCodeAt(length)) length++;
    borders[at] = length;
  }
  return borders;
}
