/**
 * Builds the console into `apps/gateway/console/console.pack`, from which the gateway serves it. `--if-needed`: only when its sources are newer. Runs on Bun,
 * which compresses in zstd.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const consoleRoot = join(root, 'apps', 'console');
const pack = join(root, 'apps', 'gateway', 'console', 'console.pack');
/** The build's inputs, besides the packages in the lock file. */
const sources = [
  'apps/console/src',
  'apps/console/index.html',
  'apps/console/vite.config.ts',
  'client/src',
  'package-lock.json',
];

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};
/** Shorter files are not worth compressing. */
const minCompressed = 512;

if (!process.argv.includes('--if-needed') || isStale()) {
  const started = performance.now();
  // Fixed, because a test may run this build with NODE_ENV=test and the result must not differ.
  process.env.NODE_ENV = 'production';
  const { build } = await import('vite');
  const built = mkdtempSync(join(tmpdir(), 'flowgate-console-'));
  let packed;
  try {
    await build({
      ...{ root: consoleRoot, configFile: join(consoleRoot, 'vite.config.ts'), logLevel: 'warn' },
      build: { outDir: built, emptyOutDir: true },
    });
    packed = packFiles(built);
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
  console.log(`Built the console in ${((performance.now() - started) / 1000).toFixed(1)} s: ${packed}.`);
}

function isStale() {
  if (!existsSync(pack)) return true;
  const madeMs = statSync(pack).mtimeMs;
  return sources.some((path) => newestMs(join(root, path)) > madeMs);
}

function newestMs(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** @returns {string} the packed content. */
function packFiles(built) {
  const index = {};
  const parts = [];
  let at = 0;
  const place = (bytes) => {
    const from = at;
    parts.push(bytes);
    at += bytes.length;
    return [from, bytes.length];
  };
  const paths = readdirSync(built, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  for (const path of paths) {
    const type = types[extname(path)];
    if (type === undefined) throw new Error(`${path}: unknown file type`);
    const bytes = readFileSync(path);
    const codings = { identity: place(bytes) };
    if (bytes.length >= minCompressed) {
      for (const [coding, smaller] of [
        ['zstd', Bun.zstdCompressSync(bytes, { level: 19 })],
        ['gzip', gzipSync(bytes, { level: 9 })],
      ])
        if (smaller.length < bytes.length) codings[coding] = place(smaller);
    }
    const etag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22);
    index[relative(built, path).split(sep).join('/')] = { type, etag, codings };
  }
  mkdirSync(dirname(pack), { recursive: true });
  // Concurrent builds: a reader always finds one complete file.
  const partial = `${pack}.${process.pid}`;
  writeFileSync(partial, Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...parts]));
  renameSync(partial, pack);
  return `${paths.length} files`;
}
