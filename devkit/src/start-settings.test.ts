/** The options of `npm start`, and its messages when it cannot start. */

import { expect, test } from 'bun:test';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@flowgate/testing/free-port';
import { refuseBusyPorts } from './refuse-busy-ports.ts';
import { readStartSettings } from './start-settings.ts';

test('the ports and the data directory have defaults, which the environment and then flags override', () => {
  expect(readStartSettings([], {})).toEqual({
    gatewayPort: 8080,
    chainPort: 8545,
    identityPort: 9000,
    appsPort: 9100,
    facilitatorPort: 9200,
    nodeProviderPort: 9300,
    l1Port: 8546,
    l2Port: 8547,
    rollupControlPort: 9400,
    bridge: false,
    dataDirectory: './data',
  });
  const environment = { FLOWGATE_PORT: '8081', FLOWGATE_CHAIN_PORT: '8546', FLOWGATE_DATA: '/elsewhere' };
  expect(readStartSettings(['--port', '8082'], environment)).toMatchObject({
    gatewayPort: 8082,
    chainPort: 8546,
    dataDirectory: '/elsewhere',
  });
});

test('a rollup runs only when requested, and its ports matter only then', () => {
  expect(readStartSettings(['--bridge'], {}).bridge).toBe(true);
  expect(readStartSettings([], { FLOWGATE_BRIDGE: 'yes' }).bridge).toBe(true);
  expect(readStartSettings(['--port', '8546'], {}).gatewayPort).toBe(8546);
  expect(() => readStartSettings(['--port', '8546', '--bridge'], {})).toThrow('must differ');
  expect(() => readStartSettings([], { FLOWGATE_BRIDGE: 'perhaps' })).toThrow('FLOWGATE_BRIDGE');
});

test('an invalid port, an unknown flag and one port for two components are refused by name', () => {
  expect(() => readStartSettings([], { FLOWGATE_IDENTITY_PORT: '70000' })).toThrow('FLOWGATE_IDENTITY_PORT');
  expect(() => readStartSettings(['--chain-port', '0x10'], {})).toThrow('--chain-port');
  expect(() => readStartSettings(['--prot', '1'], {})).toThrow("'--prot'");
  expect(() => readStartSettings(['--port', '9000'], {})).toThrow('must differ');
});

test('the help names every flag and its variable, without installed dependencies', () => {
  const bare = mkdtempSync(join(tmpdir(), 'flowgate-help-'));
  try {
    const root = join(import.meta.dir, '..', '..');
    cpSync(join(root, 'scripts'), join(bare, 'scripts'), { recursive: true });
    cpSync(join(root, 'devkit', 'start-options.json'), join(bare, 'devkit', 'start-options.json'));
    const { stdout, exitCode } = Bun.spawnSync(['node', join(bare, 'scripts', 'start.mjs'), '--help'], { cwd: bare });
    const help = stdout.toString();
    for (const name of ['--port', '--chain-port', '--identity-port', '--apps-port', '--facilitator-port', '--data'])
      expect(help).toContain(name);
    for (const name of ['FLOWGATE_PORT', 'FLOWGATE_APPS_PORT', 'FLOWGATE_DATA', 'dev.env'])
      expect(help).toContain(name);
    expect(exitCode).toBe(0);
  } finally {
    rmSync(bare, { recursive: true });
  }
});

test('each busy port is reported with the component that needs it and the option to change it', async () => {
  const holders = [await holdPort(), await holdPort()];
  try {
    const [chainPort = 0, identityPort = 0] = holders.map(({ port }) => port);
    const [gatewayPort, appsPort] = [freePort(), freePort()];
    const free = { gatewayPort, appsPort, facilitatorPort: freePort(), nodeProviderPort: freePort() };
    const rollup = { l1Port: chainPort, l2Port: 1, rollupControlPort: 1, bridge: false };
    const refusal = refuseBusyPorts({ ...free, ...rollup, chainPort, identityPort, dataDirectory: '.' });
    const message = await refusal.then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain(`Port ${chainPort} is already in use; the local chain needs it`);
    expect(message).toContain('--chain-port');
    expect(message).toContain(`Port ${identityPort} is already in use; the identity provider needs it`);
    expect(message).toContain('FLOWGATE_IDENTITY_PORT');
    expect(message).not.toContain('FLOWGATE_PORT=');
  } finally {
    for (const { release } of holders) await release();
  }
});

async function holdPort(): Promise<{ port: number; release: () => Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, release: () => new Promise((resolve) => server.close(() => resolve())) };
}
