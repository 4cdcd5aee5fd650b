/**
 * Finds the endpoint of a path in a tree of segments that is built once. `{name}` matches one segment that is not empty, `{name?}` also an empty one,
 * `{name/2}` two segments or one that contains `%2F`, and `{name*}` at the end all remaining segments, possibly none, as they were received.
 */

export type Match<T> = { readonly endpoint: T; readonly params: Readonly<Record<string, string>> };

export type Router<T> = {
  /** Registers `endpoint` at `/a/{b}/c`. @throws when a path is registered twice or a parameter has two names, which is a bug. */
  readonly add: (pattern: string, endpoint: T) => void;
  /** `path` is percent-encoded as received. Undefined when nothing matches, or an escape is malformed or encodes U+0000. */
  readonly find: (path: string) => Match<T> | undefined;
};

type Branch<T> = {
  readonly fixed: Map<string, Branch<T>>;
  parameter: Parameter<T> | undefined;
  endpoint: T | undefined;
};

type Parameter<T> = {
  readonly name: string;
  readonly mayBeEmpty: boolean;
  /** Two segments, or one with an escaped slash. */
  readonly isPair: boolean;
  readonly isRest: boolean;
  readonly branch: Branch<T>;
};

const noParams: Readonly<Record<string, string>> = Object.freeze({});

export function createRouter<T>(): Router<T> {
  const root = branch<T>();
  return {
    add(pattern, endpoint) {
      let at = root;
      for (const [segment] of pattern.matchAll(/(?<=\/)(?:\{[^}]*\}|[^/]*)(?=\/|$)/g)) at = grow(at, segment, pattern);
      if (at.endpoint !== undefined) throw new Error(`two endpoints at ${pattern}`);
      at.endpoint = endpoint;
    },
    find(path) {
      let at = root;
      let params = noParams;
      let from = 1;
      while (from <= path.length) {
        let end = segmentEnd(path, from);
        const segment = path.slice(from, end);
        const fixed = at.fixed.get(segment);
        if (fixed !== undefined) at = fixed;
        else {
          if (at.parameter === undefined || (segment === '' && !at.parameter.mayBeEmpty)) return undefined;
          if (at.parameter.isRest) end = path.length;
          let value = at.parameter.isRest ? path.slice(from) : decoded(segment);
          if (at.parameter.isPair && value !== undefined && !value.includes('/')) {
            const second = end + 1;
            end = segmentEnd(path, second);
            value = joined(value, decoded(path.slice(second, end)));
          }
          if (value === undefined) return undefined;
          params = { ...params, [at.parameter.name]: value };
          at = at.parameter.branch;
        }
        if (end === path.length) break;
        from = end + 1;
      }
      return at.endpoint === undefined ? undefined : { endpoint: at.endpoint, params };
    },
  };
}

function segmentEnd(path: string, from: number): number {
  const slash = path.indexOf('/', from);
  return slash < 0 ? path.length : slash;
}

function joined(first: string, second: string | undefined): string | undefined {
  return second === undefined || second === '' || second.includes('/') ? undefined : `${first}/${second}`;
}

function branch<T>(): Branch<T> {
  return { fixed: new Map(), parameter: undefined, endpoint: undefined };
}

function grow<T>(at: Branch<T>, segment: string, pattern: string): Branch<T> {
  const [, name, form] = /^\{(\w+)(\?|\/2|\*)?\}$/.exec(segment) ?? [];
  if (name !== undefined) {
    at.parameter ??= {
      name,
      mayBeEmpty: form === '?' || form === '*',
      isPair: form === '/2',
      isRest: form === '*',
      branch: branch(),
    };
    if (at.parameter.name !== name) throw new Error(`${pattern}: {${at.parameter.name}} already has this position`);
    return at.parameter.branch;
  }
  const known = at.fixed.get(segment);
  if (known !== undefined) return known;
  const fresh = branch<T>();
  at.fixed.set(segment, fresh);
  return fresh;
}

/** RFC 3986, 2.1: `%66` and `f` are the same character. U+0000 is refused because PostgreSQL stores no text that contains it. */
function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    const text = decodeURIComponent(segment);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
