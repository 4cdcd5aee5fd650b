/** The files of deploy/ for its tests: texts, YAML documents, and typed access to unchecked values. */

import { join } from 'node:path';
import { Glob } from 'bun';
import { parseAllDocuments } from 'yaml';

export const repository = join(import.meta.dir, '../..');

export function deployText(path: string): Promise<string> {
  return Bun.file(join(repository, 'deploy', path)).text();
}

/** Matching paths below deploy/, including hidden ones, without files that create-secrets or people add. */
export function deployFiles(pattern: string): readonly string[] {
  return [...new Glob(pattern).scanSync({ cwd: join(repository, 'deploy'), dot: true })]
    .filter((path) => !path.includes('secrets/') && !path.endsWith('/.env'))
    .sort();
}

/** Every document of a YAML file; throws when it is not strict YAML. */
export async function deployYaml(path: string): Promise<readonly unknown[]> {
  const documents = parseAllDocuments(await deployText(path), { merge: true, uniqueKeys: true });
  return documents.map((document) => {
    const problem = document.errors[0] ?? document.warnings[0];
    if (problem !== undefined) throw new Error(`${path}: ${problem.message}`);
    return document.toJS();
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at the path; undefined when there is none. */
export function at(value: unknown, ...way: readonly (string | number)[]): unknown {
  return way.reduce<unknown>((inner, step) => {
    if (typeof step === 'number') return Array.isArray(inner) ? inner[step] : undefined;
    return isRecord(inner) ? inner[step] : undefined;
  }, value);
}

export function listAt(value: unknown, ...way: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...way);
  if (!Array.isArray(found)) throw new Error(`no list at ${way.join('.')}`);
  return found;
}

export function textAt(value: unknown, ...way: readonly (string | number)[]): string {
  const found = at(value, ...way);
  if (typeof found !== 'string') throw new Error(`no text at ${way.join('.')}`);
  return found;
}

export function numberAt(value: unknown, ...way: readonly (string | number)[]): number {
  const found = at(value, ...way);
  if (typeof found !== 'number') throw new Error(`no number at ${way.join('.')}`);
  return found;
}

/** Converts `45s`, `2m` and HAProxy's plain milliseconds to milliseconds. */
export function secondsOf(duration: string): number {
  const [, amount = '', unit = 'ms'] = /^(\d+)(ms|s|m)?$/.exec(duration) ?? [];
  const factor = { ms: 0.001, s: 1, m: 60 }[unit];
  if (amount === '' || factor === undefined) throw new Error(`no duration: ${duration}`);
  return Number(amount) * factor;
}
