/** Opens the console: its routes, unless the configuration disables it. */

import type { PublicRoute } from '../api/route.ts';
import type { Config } from '../config/config.ts';
import { createConsoleFile } from '../edge/pages/console-file.ts';
import { consoleRoutes } from '../edge/pages/console-routes.ts';

export type Console = {
  readonly routes: readonly PublicRoute[];
  /** Whether browsers are redirected there. */
  readonly isThere: () => Promise<boolean>;
};

export function openConsole(
  { console: settings, identity }: Pick<Config, 'console' | 'identity'>,
  { publicUrl, version }: { readonly publicUrl: string; readonly version: string },
): Console {
  if (!settings.enabled) return { routes: [], isThere: async () => false };
  const bundle = createConsoleFile();
  const { clientId, scope, connectOrigins } = settings;
  const facts = { issuer: identity.issuer, clientId, scope, publicUrl, version };
  return {
    routes: consoleRoutes({ ...facts, connectOrigins }, bundle),
    isThere: async () => (await bundle()) !== undefined,
  };
}
