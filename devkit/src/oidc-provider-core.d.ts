/**
 * The module below oidc-provider's main one: the same class, without the warning about other runtimes than Node.js that the main one
 * prints on import. That it works on Bun is what our tests show.
 */
declare module 'oidc-provider/lib/provider.js' {
  export { Provider } from 'oidc-provider';
}

/** The errors of the same package, imported without its main module. */
declare module 'oidc-provider/lib/helpers/errors.js' {
  import { errors } from 'oidc-provider';
  export const InvalidTarget: typeof errors.InvalidTarget;
}
