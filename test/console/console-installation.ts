/** An `npm start` installation for the console's tests, on its own ports and with a temporary data directory. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@flowgate/testing/free-port';
import { type DevelopmentUser, developmentUsers } from '../../devkit/src/development-users.ts';
import { type Installation, root, startInstallation } from '../../devkit/src/installation.ts';
import { publishApp } from '../../devkit/src/publish-app.ts';
import { type TestedConsole, testedConsole } from './tested-console.ts';

export type ConsoleInstallation = Installation & TestedConsole;

export type ConsoleOptions = {
  /** With the local rollup. Default: false. */
  readonly bridge?: boolean;
  /** Additional users who can sign in. Default: none. */
  readonly moreUsers?: readonly DevelopmentUser[];
};

/** In addition to the development users, so that each test of a file has its own user. */
const testUsers = ['bob', 'carol', 'dave'].map((id) => ({ id, name: id, roles: [] }));
const users = [...developmentUsers, ...testUsers];

/** Each file has its own copies: `alice-keys` for `keys`. */
export function usersOfFiles(files: readonly string[]): readonly DevelopmentUser[] {
  return files.flatMap((file) => users.map((user) => ({ ...user, id: `${user.id}-${file}` })));
}

/** The console is built when it is missing or older than its sources. */
export async function startConsoleInstallation({
  bridge = false,
  moreUsers = [],
}: ConsoleOptions = {}): Promise<ConsoleInstallation> {
  await buildConsole();
  const data = mkdtempSync(join(tmpdir(), 'flowgate-console-test-'));
  mkdirSync(join(data, 'logs'));
  const ports = {
    ...{ gatewayPort: freePort(), chainPort: freePort(), identityPort: freePort(), appsPort: freePort() },
    ...{ facilitatorPort: freePort(), nodeProviderPort: freePort() },
    ...{ l1Port: freePort(), l2Port: freePort(), rollupControlPort: freePort() },
  };
  const settings = { ...ports, bridge, users: [...users, ...moreUsers], dataDirectory: data };
  const installation = await startInstallation(settings, data, () => {});
  const tested = testedConsole(installation);
  const publisher = await tested.clientOf('admin');
  for (const publication of installation.publications) await publishApp(publisher, publication);
  return {
    ...installation,
    ...tested,
    async stop() {
      await installation.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function buildConsole(): Promise<void> {
  const command = [process.execPath, join(root, 'scripts', 'build-console.mjs'), '--if-needed'];
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error('The console could not be built.');
}
