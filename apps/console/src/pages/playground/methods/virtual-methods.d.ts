/** Made by vite.config.ts from the OpenRPC document. */
declare module 'virtual:evm-methods' {
  export const documented: readonly import('./method-table.ts').MethodRow[];
}
