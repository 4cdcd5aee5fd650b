/** The effects of `npm start -- --bridge`, also after a kill. */
import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { rollupClients, rollupControl } from '../../test/rollup-clients.ts';
import { startBridge } from './bridge-installation.ts';

const root = join(import.meta.dir, '..', '..', '..');

test('the gateway’s configuration has the rollup’s networks, bridge and pool as on its chains, bridge.json contains the rest, and a killed installation starts again', async () => {
  const data = mkdtempSync(join(tmpdir(), 'flowgate-bridge-'));
  const logs = join(data, 'logs');
  mkdirSync(logs);
  const settings = {
    data,
    logs,
    configFile: join(root, 'devkit', 'flowgate.dev.yaml'),
    l1Port: 0,
    l2Port: 0,
    rollupControlPort: 0,
  };
  try {
    const { rollup, configFile } = await startBridge(settings);
    try {
      const checked = Bun.spawnSync(
        [process.execPath, join(root, 'apps', 'cli', 'src', 'main.ts'), 'check-config', '--online', configFile],
        {
          env: { ...process.env, FLOWGATE_PEPPER: 'x9'.repeat(20) },
        },
      );
      expect([checked.exitCode, checked.stderr.toString()]).toEqual([0, '']);
      const { bridges, swaps } = parse(readFileSync(configFile, 'utf8'));
      expect([bridges.length, swaps.length]).toEqual([1, 1]);
      const reported = JSON.parse(readFileSync(join(data, 'bridge.json'), 'utf8'));
      expect(reported).toEqual(JSON.parse(JSON.stringify(rollup.bridge)));
      expect(Object.keys(reported.contracts).sort()).toEqual([
        'disputeGameFactory',
        'l1CrossDomainMessenger',
        'l1StandardBridge',
        'l1Token',
        'l2Token',
        'pool',
        'portal',
      ]);
      for (const { address, privateKey } of reported.accounts)
        expect([address, privateKey]).toEqual([
          expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
          expect.stringMatching(/^0x[0-9a-f]{64}$/),
        ]);
    } finally {
      await rollup.kill();
    }
    const again = await startBridge(settings);
    const { onL1, rollup: chain } = rollupClients(again.rollup.bridge);
    expect((await rollupControl(again.rollup.bridge.controlUrl)('/propose')).status).toBe(200);
    expect(await onL1.getGames({ targetChain: chain })).not.toEqual([]);
    await again.rollup.stop();
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
