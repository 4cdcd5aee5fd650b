/** How the console is built (docs/decisions/0119). */

import { createRequire } from 'node:module';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compactMethods, type OpenRpcDocument } from './src/pages/playground/methods/compact-methods.ts';

/** The methods of the Ethereum execution API, from its OpenRPC document (docs/decisions/0119): the pages get the compact table and none of the document. */
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
  // The client's sources, as in the rest of the repository: no build of it has to come first.
  resolve: { conditions: ['bun', 'module', 'browser', 'import', 'default'] },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // No inline script, and no small file inside another: the policy allows neither.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
