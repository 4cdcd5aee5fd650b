/** `flowgate apps init`: writes a new app into a new or empty directory. */

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf } from '@flowgate/base/text';
import { appInput } from '@flowgate/flow-format/manifest/app-input';
import { CliProblem } from '../cli-problem.ts';
import { templateFiles } from './template-files.ts';

export type NewApp = { readonly directory: string; readonly appId: string; readonly files: readonly string[] };

export type InitOptions = {
  readonly directory: string;
  /** `publisher/slug`; default: derived from the directory's name. */
  readonly appId: string | undefined;
  readonly signingSecret: string;
  /** The version of the client in the app's dependencies. */
  readonly clientVersion: string;
};

/** Throws `CliProblem` for a directory that is not empty: no file is overwritten. */
export function initApp({ directory, appId: given, signingSecret, clientVersion }: InitOptions): NewApp {
  const target = resolve(directory);
  const appId = given ?? `${publisher}/${slugOf(basename(target))}`;
  if (!appInput.schema().safeParse({ appId, name: 'x' }).success)
    throw new CliProblem(
      'usage',
      `${appId} is not an app id`,
      'It is publisher/slug: lower-case letters, digits, dots and dashes.',
    );
  const files = templateFiles({ appId, signingSecret, clientVersion });
  try {
    mkdirSync(target, { recursive: true });
    const there = readdirSync(target).filter((name) => name !== '.git');
    if (there.length > 0)
      throw new CliProblem(
        'usage',
        `${directory} is not empty: ${there.slice(0, 3).join(', ')}`,
        'Name a new directory.',
      );
    for (const { path, text, isSecret } of files) {
      const file = join(target, path);
      mkdirSync(dirname(file), { recursive: true });
      // `wx`: a file that appeared meanwhile is not overwritten either.
      writeFileSync(file, text, { flag: 'wx', mode: isSecret === true ? 0o600 : 0o644 });
    }
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    throw new CliProblem('failed', `${directory} cannot be written: ${messageOf(error)}`);
  }
  return { directory: target, appId, files: files.map(({ path }) => path) };
}

/** A placeholder for the author's own publisher name; the first user to register an app owns its publisher. */
const publisher = 'acme';

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, 64)
    .replace(/^[.-]+/, '');
  return withoutEnd(slug) || 'app';
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.-'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}
