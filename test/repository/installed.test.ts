/** `npm test` and `npm start` detect an installation that does not match the lock file. */
import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled } from '../../scripts/ensure-installed.mjs';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
}

const hashes = { version: '1.8.0', integrity: 'sha512-one' };
const wanted = {
  '': {},
  gateway: {},
  'node_modules/flowgate': { link: true },
  'node_modules/jose': hashes,
  'node_modules/ethers/node_modules/jose': hashes,
  'apps/gateway/node_modules/@noble/hashes': hashes,
  'node_modules/@oven/bun-elsewhere': { ...hashes, optional: true },
};

/** Packages that a current installation may lack: those that npm does not install, and those for other platforms. */
const dispensable = ['', 'gateway', 'node_modules/flowgate', 'node_modules/@oven/bun-elsewhere'];

function installedWith(present: Readonly<Record<string, Entry>>): boolean {
  const root = mkdtempSync(join(tmpdir(), 'flowgate-installed-'));
  const binary = join(root, 'node_modules', 'bun', 'bin', 'bun.exe');
  try {
    mkdirSync(join(root, 'node_modules', 'bun', 'bin'), { recursive: true });
    writeFileSync(binary, '');
    truncateSync(binary, 2_000_000);
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages: wanted }));
    writeFileSync(join(root, 'node_modules', '.package-lock.json'), JSON.stringify({ packages: present }));
    return isInstalled(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('an installation is complete when every package of the lock file is installed, of the root and of each workspace', () => {
  expect(installedWith(wanted)).toBe(true);
  for (const path of Object.keys(wanted)) {
    const { [path]: _, ...rest } = wanted as Readonly<Record<string, Entry>>;
    expect([path, installedWith(rest)]).toEqual([path, dispensable.includes(path)]);
  }
});

test('a package with another version or other content makes an installation stale, in every folder', () => {
  for (const path of Object.keys(wanted).filter((path) => !dispensable.includes(path)))
    for (const other of [{ version: '1.3.2' }, { integrity: 'sha512-two' }])
      expect([path, installedWith({ ...wanted, [path]: { ...hashes, ...other } })]).toEqual([path, false]);
});
