/**
 * Bundles each entry with Vite, as a project without settings does, and prints the size of its scripts in bytes,
 * uncompressed and with brotli. Arguments: path of Vite, the entries.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const [vite, ...entries] = process.argv.slice(2);
const { build } = await import(vite);
const sizes = [];
for (const entry of entries) {
  const outDir = `bundle-${entry}`;
  const input = entry.endsWith('.html') ? entry : `${entry}.js`;
  // Retains the exports of the entry.
  const rollupOptions = { input, preserveEntrySignatures: 'strict' };
  await build({
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    build: { outDir, target: 'es2022', rollupOptions },
  });
  const assets = join(outDir, 'assets');
  const scripts = Buffer.concat(readdirSync(assets).map((name) => readFileSync(join(assets, name))));
  sizes.push([scripts.length, brotliCompressSync(scripts).length]);
}
console.log(JSON.stringify(sizes));
