/**
 * Each package exports exactly the files that others import, and its package.json names exactly the packages that it
 * imports. `.dependency-cruiser.cjs` says which package may import which.
 */

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Glob } from 'bun';

const repository = join(import.meta.dir, '../..');

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

type Workspace = { readonly directory: string; readonly manifest: Manifest };

const workspaces: readonly Workspace[] = await Promise.all(
  ['packages/*/package.json', 'apps/*/package.json', '{client,devkit}/package.json']
    .flatMap((pattern) => [...new Glob(pattern).scanSync(repository)])
    .sort()
    .map(async (path) => ({ directory: dirname(path), manifest: await Bun.file(join(repository, path)).json() })),
);
const packages = workspaces.filter(({ directory }) => directory.startsWith('packages/'));

/** The module name in an import, a dynamic import, a type import or a resolution. */
const named = /(?<=\bfrom |\bimport |\bimport\(|\.resolve\()'(@flowgate\/[a-z0-9-]+)\/([a-z0-9/-]+)'/g;

type Use = { readonly path: string; readonly name: string; readonly module: string };

async function usesIn(directory: string): Promise<readonly Use[]> {
  const paths = [...new Glob(`${directory}/**/*.{ts,tsx,mjs}`).scanSync(repository)];
  const uses = await Promise.all(
    paths
      .filter((path) => !/(^|\/)(node_modules|dist)\//.test(path))
      .map(async (path) =>
        [...(await Bun.file(join(repository, path)).text()).matchAll(named)].map(([, name = '', module = '']) => ({
          ...{ path, name, module },
        })),
      ),
  );
  return uses.flat();
}

const usesOf = new Map(
  await Promise.all(
    [...workspaces.map(({ directory }) => directory), 'test'].map(
      async (directory) => [directory, await usesIn(directory)] as const,
    ),
  ),
);

test.each(packages)(
  '$directory exports exactly the files that others import, and has a README',
  ({ directory, manifest }) => {
    const imported = [...usesOf].flatMap(([from, uses]) =>
      from === directory ? [] : uses.filter(({ name }) => name === manifest.name).map(({ module }) => module),
    );
    const wanted = [...new Set(imported)].sort().map((module) => [`./${module}`, `./src/${module}.ts`]);
    expect(manifest.exports ?? {}).toEqual(Object.fromEntries(wanted));
    expect(wanted.filter(([, file = '']) => !existsSync(join(repository, directory, file)))).toEqual([]);
    expect(existsSync(join(repository, directory, 'README.md'))).toBe(true);
  },
);

test.each(packages)(
  '$directory is named after its folder and is not published separately',
  ({ directory, manifest }) => {
    expect(manifest).toMatchObject({ name: `@flowgate/${basename(directory)}`, private: true, version: '0.1.0' });
  },
);

test.each(workspaces)('$directory names exactly the packages that it imports', ({ directory, manifest }) => {
  const own = new Set(packages.map((each) => each.manifest.name));
  const namedIn = (list: Readonly<Record<string, string>> = {}) => Object.keys(list).filter((name) => own.has(name));
  const uses = (usesOf.get(directory) ?? []).filter(({ name }) => own.has(name) && name !== manifest.name);
  const isTest = (path: string) =>
    /\.(test|contract)\.ts$|^((packages|apps)\/)?[a-z0-9-]+\/(test|bench|examples)\//.test(path);
  const [forTests, forCode] = [true, false].map((wanted) =>
    uses.filter(({ path }) => isTest(path) === wanted).map(({ name }) => name),
  );
  expect(namedIn(manifest.dependencies)).toEqual([...new Set(forCode)].sort());
  // The image of the console is built without the package of test helpers, so manifests in that image do not name it.
  if (directory === 'client' || directory === 'apps/console') return;
  expect(namedIn(manifest.devDependencies)).toEqual(
    [...new Set(forTests)].filter((name) => forCode?.includes(name) !== true).sort(),
  );
});
