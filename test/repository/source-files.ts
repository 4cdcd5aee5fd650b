/** Reads apps/gateway/src and packages for the architecture tests: each file with imports, head comment and text. */

import { join, normalize } from 'node:path';
import { Glob } from 'bun';

export type Import = { readonly to: string; readonly typesOnly: boolean };

export type SourceFile = {
  /**
   * Relative to apps/gateway/src, for example `edge/edge.ts`; for a package or the command line the whole path, for
   * example `packages/base/src/clock.ts`.
   */
  readonly path: string;
  /** The folder directly below apps/gateway/src; `''` for a file outside of a folder. */
  readonly module: string;
  readonly text: string;
  readonly lines: number;
  /** The text of the first comment; undefined when the file does not begin with a comment. */
  readonly head: string | undefined;
  /** Imported files below apps/gateway/src. */
  readonly imports: readonly Import[];
  /** Names of imported packages; `node:` and `bun:` modules unchanged. */
  readonly packages: readonly string[];
};

/** `import … from`, `export … from`, `import '…'` and `import('…')`. */
const importForm = /^(?:import|export)\b((?:[\w$*,\s]|\{[^}]*\})*?\bfrom\s*|\s*)'([^']+)'|\bimport\('([^']+)'\)/gm;

export const sourceRoot = join(import.meta.dir, '../../apps/gateway/src');

const repository = join(sourceRoot, '../../..');

export function sourceFiles(): Promise<readonly SourceFile[]> {
  return read(sourceRoot, '**/*.ts');
}

/** The command line and every package except the test helpers. */
export async function packageFiles(): Promise<readonly SourceFile[]> {
  const [command, packages] = await Promise.all([
    read(repository, 'apps/cli/src/**/*.ts'),
    read(repository, 'packages/!(testing)/src/**/*.ts'),
  ]);
  return [...command, ...packages];
}

function read(root: string, pattern: string): Promise<readonly SourceFile[]> {
  const paths = [...new Glob(pattern).scanSync(root)].filter((path) => !/\.(test|contract)\.ts$/.test(path)).sort();
  return Promise.all(paths.map(async (path) => sourceFile(path, await Bun.file(join(root, path)).text())));
}

export function sourceFile(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const packages = new Set<string>();
  for (const [, clause = '', from, dynamic] of text.matchAll(importForm)) {
    const to = from ?? dynamic ?? '';
    if (to.startsWith('.')) imports.push({ to: normalize(join(path, '..', to)), typesOnly: /^\s+type\b/.test(clause) });
    else packages.add(to.startsWith('@') ? to.split('/').slice(0, 2).join('/') : (to.split('/')[0] ?? to));
  }
  const head = /^\/\*\*([\s\S]*?)\*\//
    .exec(text)?.[1]
    ?.replaceAll(/\s*\n\s*\* ?/g, ' ')
    .trim();
  const module = path.includes('/') ? (path.split('/')[0] ?? '') : '';
  return { path, module, text, lines: text.split('\n').length - 1, head, imports, packages: [...packages] };
}
