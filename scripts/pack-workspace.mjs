/** Packs the gateway or the CLI for npm, and bundles the repository's packages that it needs (docs/decisions/0151). */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { repositoryRoot } from './ensure-installed.mjs';
import { runChild } from './run-child.mjs';

const packages = join(repositoryRoot, 'packages');

/**
 * Packs a copy of the workspace in `directory`, because npm bundles only what is in the packed directory's own node_modules.
 * @returns {Promise<number>} npm's exit code.
 */
export async function packWorkspace(directory, to) {
  const copy = mkdtempSync(join(tmpdir(), 'flowgate-pack-'));
  try {
    const manifest = readManifest(directory);
    const bundled = bundledPackages(manifest);
    for (const path of ['README.md', ...manifest.files.filter((each) => !each.startsWith('!'))])
      cpSync(join(directory, path), join(copy, path), { recursive: true, filter: isPacked });
    cpSync(join(repositoryRoot, 'LICENSE'), join(copy, 'LICENSE'));
    for (const each of bundled)
      cpSync(each.directory, join(copy, 'node_modules', each.name), { recursive: true, filter: isPacked });
    writeFileSync(join(copy, 'package.json'), JSON.stringify(bundledManifest(manifest, bundled), null, 2));
    return await runChild('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', to], { cwd: copy });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Code and READMEs of packages, without tests and pages for contributors. */
const isPacked = (path) =>
  !/\.(test|contract)\.ts$/.test(path) &&
  !['node_modules', 'test', 'corpora'].includes(basename(path)) &&
  !/\bsrc\b.*\bREADME\.md$/.test(relative(repositoryRoot, path));

/**
 * The packages on which `workspace` depends, also transitively.
 * @returns {{ name: string, directory: string, manifest: object }[]}
 */
function bundledPackages(workspace) {
  const all = readdirSync(packages).map((each) => {
    const directory = join(packages, each);
    const manifest = readManifest(directory);
    return { name: manifest.name, directory, manifest };
  });
  const found = new Set();
  const add = ({ dependencies = {} }) => {
    for (const each of all.filter(({ name }) => name in dependencies))
      if (!found.has(each)) {
        found.add(each);
        add(each.manifest);
      }
  };
  add(workspace);
  return [...found];
}

/** npm installs no dependencies of bundled packages, so the workspace lists them as its own. */
function bundledManifest({ scripts: _, devDependencies: __, ...manifest }, bundled) {
  const names = bundled.map(({ name }) => name);
  const dependencies = Object.assign(
    {},
    ...bundled.map((each) => each.manifest.dependencies ?? {}),
    manifest.dependencies,
  );
  const own = Object.fromEntries(bundled.map(({ name, manifest: { version } }) => [name, version]));
  return { ...manifest, dependencies: { ...dependencies, ...own }, bundleDependencies: names };
}

function readManifest(directory) {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
}
