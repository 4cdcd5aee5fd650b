/** The class below oidc-provider's main module, without the main module's warning about runtimes other than Node.js. Tests show that it works on Bun. */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

/** The errors of the same package, imported without its main module. */
declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';
  export const InvalidTarget: typeof errors.InvalidTarget;
}
