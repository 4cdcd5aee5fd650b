/** Reads a configuration file: YAML, then environment variables, then the schema; every problem is reported with its path. */

import { member } from '@flowgate/json/json-object';
import { parseDocument, type YAMLParseError } from 'yaml';
import { type Config, type ConfigIssue, configSchema } from './config.ts';
import { type CrossProblem, crossProblems, type HasModule, unsafeSettings } from './config-checks.ts';
import { suggestKey } from './suggest-key.ts';

export type ConfigProblem = {
  /** `networks[0].nodes[1].url`; empty for the file as a whole. */
  readonly path: string;
  readonly message: string;
};

/** `unsafe`: settings that a gateway starts with and no operator should use; `check-config` refuses them (contract/running#configuration). */
export type LoadedConfig = { readonly unsafe: readonly ConfigProblem[] } & (
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }
);

export type Environment = Readonly<Record<string, string | undefined>>;

/** Messages name keys and variables. They contain no value of a variable, and of the file only names. */
export function readConfig(text: string, environment: Environment, hasModule: HasModule = () => true): LoadedConfig {
  const content = readYaml(text);
  if (!content.ok)
    return { ok: false, problems: content.problems.map((message) => ({ path: '', message })), unsafe: [] };
  const filling: Filling = { environment, problems: [], emptied: new Map(), used: new Map() };
  const { problems, emptied, used } = filling;
  const substituted = substitute(content.value ?? {}, '', filling);
  // Compiling a schema takes longer than using it once.
  const parsed = configSchema.safeParse(substituted, { reportInput: false, jitless: true });
  if (!parsed.success) {
    const known = new Set(problems.map((problem) => problem.path));
    for (const issue of parsed.error.issues) {
      const path = pathText(issue.path);
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys)
          problems.push({ path: pathText([...issue.path, key]), message: unknownKey(issue.path, key) });
      else if (!known.has(path))
        problems.push({
          path,
          message: isMissing(substituted, issue.path) ? missing(emptied.get(path)) : sentenceOf(issue),
        });
    }
  }
  const reported = ({ path, message }: CrossProblem) => ({
    path: pathText(path),
    message: withoutValues(message, used),
  });
  problems.push(...crossProblems(substituted, hasModule).map(reported));
  const unsafe = unsafeSettings(substituted).map(reported);
  if (problems.length > 0 || !parsed.success) return { ok: false, problems, unsafe };
  return { ok: true, config: parsed.data, unsafe };
}

/** A suggestion names keys of the schema only. */
function unknownKey(path: readonly PropertyKey[], key: string): string {
  const suggestion = suggestKey(configSchema, path, key);
  return suggestion === undefined ? 'is not a known key' : `is not a known key; did you mean ${suggestion}?`;
}

function missing(emptiedBy: string | undefined): string {
  return emptiedBy === undefined ? 'is required' : `is required, and environment variable ${emptiedBy} is empty`;
}

/** For an unknown key the schema's own sentence is one level deeper. */
function sentenceOf(issue: ConfigIssue): string {
  return (issue.code === 'invalid_key' ? issue.issues[0]?.message : undefined) ?? issue.message;
}

/** Shorter values are not secrets, and occur in words. */
const shortestValue = 4;

/** Replaces each value by its variable's name. */
function withoutValues(message: string, used: ReadonlyMap<string, string>): string {
  let text = message;
  for (const [value, name] of used)
    if (value.length >= shortestValue) text = text.replaceAll(value, () => `\${${name}}`);
  return text;
}

type YamlContent =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problems: readonly string[] };

/** The parser's messages quote the file, which may contain secrets: only codes, lines and the name of a duplicate key are passed on. */
function readYaml(text: string): YamlContent {
  const document = parseDocument(text, { uniqueKeys: true, logLevel: 'error' });
  if (document.errors.length > 0)
    return { ok: false, problems: document.errors.slice(0, maxSyntaxErrors).map(syntaxError(text)) };
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    // An alias inside its own anchor would never end.
    JSON.stringify(value);
    return { ok: true, value };
  } catch {
    return {
      ok: false,
      problems: [
        'not valid YAML: an alias (*name) has no anchor (&name), is within its own anchor, or there are too many; a text that begins with * needs quotes',
      ],
    };
  }
}

const maxSyntaxErrors = 20;

function syntaxError(text: string): (error: YAMLParseError) => string {
  return ({ code, pos, linePos }) => {
    const line = linePos?.[0].line ?? '?';
    const key =
      code === 'DUPLICATE_KEY'
        ? /^["']?([A-Za-z][\w.-]{0,63})["']?\s*:/.exec(text.slice(pos[0], pos[0] + 80))?.[1]
        : undefined;
    if (key !== undefined) return `not valid YAML: the key ${key} is a duplicate, at line ${line}`;
    return `not valid YAML: ${code} at line ${line}`;
  };
}

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

type Filling = {
  readonly environment: Environment;
  readonly problems: ConfigProblem[];
  /** Paths at which a variable that is set but empty left no value. */
  readonly emptied: Map<string, string>;
  /** Values of variables, each with its name. */
  readonly used: Map<string, string>;
};

/**
 * Fills `${NAME}` and `${NAME:-default}` in any scalar. The result stays a text: keys for numbers or booleans convert it as YAML would, and a pepper of
 * digits stays a text. A scalar that is only a placeholder and becomes empty is omitted.
 */
function substitute(value: unknown, path: string, filling: Filling): unknown {
  if (typeof value === 'string') return value.includes('${') ? filled(value, path, filling) : value;
  if (Array.isArray(value)) return value.map((item, at) => substitute(item, `${path}[${at}]`, filling));
  // The schema would read them as mappings without keys.
  if (value instanceof Map || value instanceof Set || value instanceof Uint8Array) {
    filling.problems.push({ path, message: 'is of a YAML type (set, omap, binary) that no setting accepts' });
    return undefined;
  }
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        substitute(item, path === '' ? key : `${path}.${key}`, filling),
      ]),
    );
  return value ?? undefined;
}

function filled(value: string, path: string, { environment, problems, emptied, used }: Filling): string | undefined {
  // Otherwise the unfilled placeholder, which is readable in the file, would be used as the pepper.
  if (value.split('${').length - 1 > [...value.matchAll(placeholder)].length)
    problems.push({
      path,
      message: 'contains ${ outside of a placeholder: write ${NAME} or ${NAME:-default}, without nesting',
    });
  const text = value.replace(placeholder, (whole, name: string, fallback: string | undefined) => {
    const found = environment[name];
    if (found === undefined && fallback === undefined)
      problems.push({ path, message: `environment variable ${name} is not set and has no default` });
    else if (found === '' && fallback === undefined) {
      if (whole === value) emptied.set(path, name);
      else problems.push({ path, message: `environment variable ${name} is empty; \${${name}:-} would allow that` });
    }
    if (found !== undefined && found !== '') used.set(found, name);
    return found !== undefined && found !== '' ? found : (fallback ?? '');
  });
  return text === '' ? undefined : text;
}

/** Fills the placeholders of a text that is not in a file, such as a command line argument. Undefined when a variable is not set or empty. */
export function fillPlaceholders(text: string, environment: Environment): string | undefined {
  const filling: Filling = { environment, problems: [], emptied: new Map(), used: new Map() };
  const result = substitute(text, '', filling);
  return filling.problems.length === 0 && typeof result === 'string' ? result : undefined;
}

function isMissing(content: unknown, path: readonly PropertyKey[]): boolean {
  return path.reduce<unknown>(member, content) === undefined;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = shownKey(String(part));
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** A key that is no name may be a misplaced value, for example `"Authorization: Bearer …"`. */
function shownKey(key: string): string {
  return /^[\w.<*-]{1,64}$/.test(key) ? key : '(a key that is no name)';
}
