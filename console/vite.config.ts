/** How the console is built (docs/decisions/0119). */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// biome-ignore lint/style/noDefaultExport: Vite reads the default export
export default defineConfig({
  base: '/console/',
  plugins: [react(), tailwindcss()],
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
