/** Reads a configuration file: YAML, then environment variables, then the schema; every problem is reported, each with its path. */

import { parseDocument } from 'yaml';
import { type Config, configSchema } from './config.ts';
import { crossProblems } from './config-checks.ts';
import { ok, type Result, refused } from './platform/result.ts';

export type ConfigProblem = {
  /** `networks[0].nodes[1].url`; empty for the file as a whole. */ readonly path: string;
  readonly message: string;
};

export type LoadedConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export type Environment = Readonly<Record<string, string | undefined>>;

/** Messages name keys and variables, never values, which may be secrets. */
export function readConfig(text: string, environment: Environment): LoadedConfig {
  const content = readYaml(text);
  if (!content.ok) return { ok: false, problems: [{ path: '', message: `not valid YAML: ${content.reason}` }] };
  const problems: ConfigProblem[] = [];
  const substituted = substitute(content.value ?? {}, '', environment, problems);
  const parsed = configSchema.safeParse(substituted, { reportInput: false });
  if (!parsed.success) {
    const known = new Set(problems.map((problem) => problem.path));
    for (const issue of parsed.error.issues) {
      const path = pathText(issue.path);
      if (issue.code === 'unrecognized_keys')
        for (const key of issue.keys)
          problems.push({ path: path === '' ? key : `${path}.${key}`, message: 'is not a known key' });
      else if (!known.has(path))
        problems.push({ path, message: isMissing(substituted, issue.path) ? 'is required' : issue.message });
    }
  }
  problems.push(...crossProblems(substituted).map(({ path, message }) => ({ path: pathText(path), message })));
  if (problems.length > 0) return { ok: false, problems };
  return parsed.success ? { ok: true, config: parsed.data } : { ok: false, problems };
}

/** The parser's own sentences quote the text, which may hold secrets: only its codes and lines are passed on. */
function readYaml(text: string): Result<unknown, string> {
  const document = parseDocument(text, { uniqueKeys: true });
  const [error] = document.errors;
  if (error !== undefined) return refused(`${error.code} at line ${error.linePos?.[0].line ?? '?'}`);
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 });
    // An alias within what it stands for would have no end.
    JSON.stringify(value);
    return ok(value);
  } catch {
    return refused(
      'an alias (*name) has no anchor (&name), stands within its own anchor, or there are too many; a text that begins with * needs quotes',
    );
  }
}

const placeholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/**
 * `${NAME}` and `${NAME:-default}` in any scalar. The text stays text: fields that want numbers or booleans read it as YAML would, and
 * a pepper of digits stays a string. A scalar that is nothing but a placeholder and comes out empty is left out.
 */
function substitute(value: unknown, path: string, environment: Environment, problems: ConfigProblem[]): unknown {
  if (typeof value === 'string') {
    if (!value.includes('${')) return value;
    const text = value.replace(placeholder, (_, name: string, fallback: string | undefined) => {
      const found = environment[name];
      if (found !== undefined && (found !== '' || fallback === undefined)) return found;
      if (fallback !== undefined) return fallback;
      problems.push({ path, message: `environment variable ${name} is not set and has no default` });
      return '';
    });
    return text === '' ? undefined : text;
  }
  if (Array.isArray(value)) return value.map((item, at) => substitute(item, `${path}[${at}]`, environment, problems));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        substitute(item, path === '' ? key : `${path}.${key}`, environment, problems),
      ]),
    );
  return value ?? undefined;
}

/** One text outside of a file, such as a command line's argument, with its placeholders filled; undefined when a variable is not set. */
export function fillPlaceholders(text: string, environment: Environment): string | undefined {
  const problems: ConfigProblem[] = [];
  const filled = substitute(text, '', environment, problems);
  return problems.length === 0 && typeof filled === 'string' ? filled : undefined;
}

function isMissing(content: unknown, path: readonly PropertyKey[]): boolean {
  const found = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, key)?.value : undefined,
    content,
  );
  return found === undefined;
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}
