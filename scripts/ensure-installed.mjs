/** Runs `npm ci` only when node_modules is missing or differs from package-lock.json. */
import { linkSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findBun } from './find-bun.mjs';
import { runChild } from './run-child.mjs';

export const repositoryRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** The native compiler. `node_modules/typescript` is the last version with a programming interface, which dependency-cruiser needs. */
export const typeScriptCompiler = join(repositoryRoot, 'node_modules', 'typescript-native', 'bin', 'tsc');

/** @returns {Promise<string>} the Bun binary's path. Ends the process with a message when the installation fails. */
export async function ensureInstalled(root = repositoryRoot) {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) fail(`Flowgate needs Node.js 20 or newer; this is ${process.version}.`);
  if (!isInstalled(root)) {
    const code = await withInstallLock(root, () => installUnlessDone(root));
    if (code !== 0) fail(`npm ci failed (exit ${code}). Nothing was started.`);
  }
  const bun = findBun(root);
  if (bun === undefined)
    fail('Bun is not in node_modules although npm ci succeeded: this platform may not be supported.');
  return bun;
}

/** npm installs packages below `node_modules`, at the root or in a workspace; the workspaces themselves are not installed. */
const holdsPackage = /(?:^|\/)node_modules\//;

/**
 * npm writes node_modules/.package-lock.json last, as the record of the installed packages; an interrupted installation has none. A manual installation also
 * has the record.
 */
export function isInstalled(root) {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined || findBun(root) === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!holdsPackage.test(path) || entry.link) return true;
    const installed = present[path];
    if (installed === undefined) return entry.optional === true;
    return installed.version === entry.version && installed.integrity === entry.integrity;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm shows no progress bar without a terminal, so a line is printed every few seconds to show that it is still running. */
async function installUnlessDone(root) {
  if (isInstalled(root)) return 0;
  console.log('Installing dependencies with npm ci (once; some minutes on a slow line) …');
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  const ticker = setInterval(() => console.log(`  … ${seconds()} s`), 5000);
  const code = await runChild('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
  clearInterval(ticker);
  if (code === 0) console.log(`Installed in ${seconds()} s.`);
  return code;
}

/** Concurrent commands must not both install: the second waits and then finds everything installed. */
async function withInstallLock(root, work) {
  const path = join(root, 'data', 'install.lock');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let waited = 0; !takeLock(path); waited += 1) {
    const owner = readLock(path);
    if (owner !== undefined && !isAlive(owner)) rmSync(path, { force: true });
    else if (waited === 0)
      console.log(`Another command (process ${owner ?? 'unknown'}) is installing; waiting for it …`);
    await sleep(250);
  }
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

/** A link appears with its content or not at all, so no reader ever sees an empty lock. */
function takeLock(path) {
  const mine = `${path}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    linkSync(mine, path);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(mine);
  }
}

function readLock(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await ensureInstalled();
