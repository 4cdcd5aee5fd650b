/** Opens the console: where its files are, in the executable or beside the sources, and its routes. */

import type { PublicRoute } from '../api/route.ts';
import type { Config } from '../config/config.ts';
import { type ConsoleBundle, readConsoleBundle } from '../http/console/console-bundle.ts';
import { consoleRoutes } from '../http/console/console-routes.ts';

const packName = 'console.pack';
const packFile = new URL(`../../console/${packName}`, import.meta.url);

export type Console = {
  /** None when the configuration takes the console away. */
  readonly routes: readonly PublicRoute[];
  /** Whether people are sent there. */
  readonly isThere: () => Promise<boolean>;
};

export function openConsole(
  { console: settings, identity }: Pick<Config, 'console' | 'identity'>,
  { publicUrl, version }: { readonly publicUrl: string; readonly version: string },
): Console {
  if (!settings.enabled) return { routes: [], isThere: async () => false };
  // Read at the first request, and once: nobody may ever ask.
  let read: Promise<ConsoleBundle | undefined> | undefined;
  const bundle = () => (read ??= readPack());
  const facts = { issuer: identity.issuer, clientId: settings.clientId, scope: settings.scope, publicUrl, version };
  return {
    routes: consoleRoutes({ ...facts, connectOrigins: settings.connectOrigins }, bundle),
    isThere: async () => (await bundle()) !== undefined,
  };
}

async function readPack(): Promise<ConsoleBundle | undefined> {
  const embedded = Bun.embeddedFiles.find((file) => 'name' in file && file.name === packName);
  const pack = embedded ?? Bun.file(packFile);
  if (embedded === undefined && !(await Bun.file(packFile).exists())) return undefined;
  return readConsoleBundle(new Uint8Array(await pack.arrayBuffer()));
}
