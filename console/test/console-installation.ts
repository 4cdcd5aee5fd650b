/** What `npm start` runs, for the console's tests: on ports of its own, with its data in a temporary directory. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFlowgate, type Flowgate } from '@flowgate/client';
import { freePort } from '@flowgate/testing/free-port';
import { developmentUsers } from '../../devkit/src/development-users.ts';
import { type Installation, root, startInstallation } from '../../devkit/src/installation.ts';
import { publishApp } from '../../devkit/src/publish-app.ts';
import { signIn } from '../../devkit/src/sign-in.ts';

export type ConsoleInstallation = Installation & {
  /** A client with the token of a development user. */
  readonly clientOf: (user: string) => Promise<Flowgate>;
};

/** Beside the development users, so that each test of a file has a user of its own. */
const testUsers = ['bob', 'carol', 'dave'].map((id) => ({ id, name: id, roles: [] }));

/** The console is built when it is missing or older than its sources. */
export async function startConsoleInstallation({ bridge = false } = {}): Promise<ConsoleInstallation> {
  await buildConsole();
  const data = mkdtempSync(join(tmpdir(), 'flowgate-console-test-'));
  mkdirSync(join(data, 'logs'));
  const ports = {
    ...{ gatewayPort: freePort(), chainPort: freePort(), identityPort: freePort(), appsPort: freePort() },
    ...{ facilitatorPort: freePort(), nodeProviderPort: freePort() },
    ...{ l1Port: freePort(), l2Port: freePort(), rollupControlPort: freePort() },
  };
  const users = [...developmentUsers, ...testUsers];
  const settings = { ...ports, bridge, users, dataDirectory: data };
  const installation = await startInstallation(settings, data, () => {});
  const { gatewayUrl, issuer, publications } = installation;
  const clientOf = async (user: string) => createFlowgate({ url: gatewayUrl, token: await signIn({ issuer, user }) });
  const publisher = await clientOf('admin');
  for (const publication of publications) await publishApp(publisher, publication);
  return {
    ...installation,
    clientOf,
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
