/** Finds the Bun binary that npm installed, also where npm's install scripts were blocked and `node_modules/bun` contains only a stub. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** npm's package contains a small text stub until its install script has replaced it with the binary. */
const smallestBinaryBytes = 1_000_000;

/** @returns {string | undefined} the absolute path of the binary, or nothing when Bun is not installed below `root`. */
export function findBun(root) {
  const modules = join(root, 'node_modules');
  const candidates = [
    join(modules, 'bun', 'bin', 'bun.exe'),
    ...platformPackages().map((name) => join(modules, '@oven', name, 'bin', 'bun')),
  ];
  return candidates.find((path) => existsSync(path) && statSync(path).size > smallestBinaryBytes);
}

function platformPackages() {
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const name = `bun-${process.platform}-${arch}`;
  return process.platform === 'linux' ? [usesMusl() ? `${name}-musl` : name] : [name];
}

function usesMusl() {
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
