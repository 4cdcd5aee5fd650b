import { expect, test } from 'bun:test';
import { acceptedCoding } from './accepted-coding.ts';

const fields: Readonly<Record<string, readonly string[]>> = {
  zstd: [
    'zstd',
    'gzip, zstd',
    'gzip, deflate, br, zstd',
    '*',
    'identity, *',
    'gzip;q=0.5, *;q=0.6',
    'ZSTD ; q=0.5 , gzip;q=0.5',
    'zstd;q=1.000,gzip;q=1',
    'gzip;q=0.9, zstd;Q=0.95',
    'identity;q=0, *',
    ',, zstd ,',
    'identity;q=0.5, zstd;q=0.5',
  ],
  gzip: [
    'gzip',
    'x-gzip',
    'gzip, deflate, br',
    'zstd;q=0, *',
    'zstd;q=0.5, gzip',
    'zstd;q=0.001, gzip;q=0.002',
    'identity;q=0, gzip;q=0.1',
    'zstd;q=2, gzip',
    'gzip;q=1;q=0',
    'zstd;q=, gzip;q=0.1',
  ],
  identity: [
    '',
    'identity',
    'br',
    'deflate, br',
    'gzip;q=0, zstd;q=0',
    '*;q=0',
    'identity;q=0',
    'identity;q=1, gzip;q=0.5, zstd;q=0.5',
    'gzip;q=0.0',
    'gzip;q=-1',
    'gzip;q=1.5',
    'gzipp, zst',
    `gzip${' '.repeat(2_000)}`,
  ],
};

for (const [coding, all] of Object.entries(fields))
  for (const field of all)
    test(`Accept-Encoding: ${field.slice(0, 60)} gets ${coding} (RFC 9110, 12.5.3; contract/conventions#compression)`, () => {
      for (let round = 0; round < 2; round++) expect(acceptedCoding(field)).toBe(coding as 'zstd');
    });

test('no field means no compression, and each of a thousand different fields is evaluated', () => {
  expect(acceptedCoding(null)).toBe('identity');
  for (let n = 0; n < 1_000; n++) expect(acceptedCoding(`gzip, x${n}`)).toBe('gzip');
});
