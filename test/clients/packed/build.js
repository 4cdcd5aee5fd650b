/** Bundles each entry with Vite, as a project without settings does, and tells how many bytes its scripts have, plain and with brotli. Arguments: where Vite is, the entries. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const [vite, ...entries] = process.argv.slice(2);
const { build } = await import(vite);
const sizes = [];
for (const entry of entries) {
  const outDir = `bundle-${entry}`;
  const input = entry.endsWith('.html') ? entry : `${entry}.js`;
  // What the entry exports is kept.
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
