/** Parses regular expressions (ECMA-262, 22.2.1) as far as the source uses them; throws for any other syntax. */

export type RegexNode =
  | { readonly kind: 'set'; readonly has: (character: string) => boolean; readonly raw: string }
  | { readonly kind: 'sequence' | 'choice'; readonly of: readonly RegexNode[] }
  | {
      readonly kind: 'repeat';
      readonly of: RegexNode;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    }
  | { readonly kind: 'look'; readonly of: RegexNode; readonly behind: boolean; readonly not: boolean }
  | { readonly kind: 'assert'; readonly what: '^' | '$' | '\\b' | '\\B' };

const group = /^\((?:\?(:|=|!|<=|<!|<[A-Za-z]\w*>))?/;
const quantifier = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const atom =
  /^(?:\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]+\}|0(?!\d)|[^\dukcxpP])|\[(?:[^\]\\]|\\[\s\S])*\]|[^\\()[|*+?])/u;

export function parseRegex({ source, flags }: RegExp): RegexNode {
  const unicode = flags.includes('u') ? 'u' : '';
  const setFlags = unicode + (flags.includes('i') ? 'i' : '') + (flags.includes('s') ? 's' : '');
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | null => {
    const found = form.exec(source.slice(at));
    at += found?.[0].length ?? 0;
    return found;
  };

  function choice(): RegexNode {
    const of = [sequence()];
    while (source[at] === '|') {
      at += 1;
      of.push(sequence());
    }
    return of.length === 1 && of[0] !== undefined ? of[0] : { kind: 'choice', of };
  }

  function sequence(): RegexNode {
    const of: RegexNode[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') of.push(repeated(term()));
    return { kind: 'sequence', of };
  }

  function repeated(of: RegexNode): RegexNode {
    const found = take(quantifier);
    if (found === null) return of;
    const [raw, from, comma, to] = found;
    const lazy = raw.length > 1 && raw.endsWith('?');
    if (from === undefined)
      return {
        kind: 'repeat',
        of,
        min: raw[0] === '+' ? 1 : 0,
        max: raw[0] === '?' ? 1 : Number.POSITIVE_INFINITY,
        lazy,
      };
    const max =
      comma === undefined ? Number(from) : to === '' || to === undefined ? Number.POSITIVE_INFINITY : Number(to);
    return { kind: 'repeat', of, min: Number(from), max, lazy };
  }

  function term(): RegexNode {
    const one = source[at] ?? '';
    if (one === '^' || one === '$') {
      at += 1;
      return { kind: 'assert', what: one };
    }
    const edge = take(/^\\[bB]/)?.[0];
    if (edge === '\\b' || edge === '\\B') return { kind: 'assert', what: edge };
    const opening = take(group);
    if (opening !== null) {
      const mark = opening[1] ?? ':';
      const of = choice();
      if (source[at++] !== ')') throw new SyntaxError(`a group of ${source} has no end`);
      const isLook = /^(?:=|!|<=|<!)$/.test(mark);
      return isLook ? { kind: 'look', of, behind: mark.startsWith('<'), not: mark.endsWith('!') } : of;
    }
    const raw = take(atom)?.[0];
    if (raw === undefined) throw new SyntaxError(`${source} is not understood at ${at}`);
    const form = new RegExp(`^${raw}$`, setFlags);
    return { kind: 'set', has: (character) => form.test(character), raw };
  }

  const whole = choice();
  if (at < source.length) throw new SyntaxError(`${source} is not understood at ${at}`);
  return whole;
}
