/** Build of the console (docs/decisions/0119). */

import { createRequire } from 'node:module';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compactMethods, type OpenRpcDocument } from './src/pages/playground/methods/compact-methods.ts';

/** Methods of the Ethereum execution API from its OpenRPC document (docs/decisions/0119). The pages load only the compact table. */
function evmMethods(): Plugin {
  const name = 'virtual:evm-methods';
  return {
    name,
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load(id) {
      if (id !== `\0${name}`) return undefined;
      const { default: document }: { default: OpenRpcDocument } = createRequire(import.meta.url)('@metamask/api-specs');
      return `export const documented = ${JSON.stringify(compactMethods(document))}`;
    },
  };
}

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss(), evmMethods()],
  // Uses the client's sources, so that the client need not be built first.
  resolve: { conditions: ['bun', 'module', 'browser', 'import', 'default'] },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // No inline scripts and no inlined assets, because the content security policy forbids both.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
