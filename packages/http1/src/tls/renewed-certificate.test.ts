import { expect, test } from 'bun:test';
import type { Certificate, LoadedCertificate } from './certificate.ts';
import { RenewedCertificate } from './renewed-certificate.ts';

const dayMs = 86_400_000;

function certificate(name: string, validToMs = 100 * dayMs): Certificate {
  return {
    cert: name,
    key: `${name}-key`,
    validFromMs: 0,
    validToMs,
    isKeyExposed: false,
    weakness: undefined,
    rarity: undefined,
  };
}

function setUp() {
  let found: LoadedCertificate = { ok: true, certificate: certificate('first') };
  let nowMs = dayMs;
  const reported: string[] = [];
  const renewed = new RenewedCertificate(certificate('first'), {
    files: { certificate: 'c', key: 'k' },
    load: async () => found,
    now: () => nowMs,
    report: {
      replaced: ({ cert }) => reported.push(`replaced by ${cert}`),
      refused: (problem) => reported.push(`refused: ${problem}`),
      expiring: (advice) => reported.push(advice.slice(0, 18)),
    },
  });
  return {
    renewed,
    reported,
    put: (next: LoadedCertificate) => {
      found = next;
    },
    at: (ms: number) => {
      nowMs = ms;
    },
  };
}

const broken: LoadedCertificate = { ok: false, problem: { file: 'key', message: 'does not belong' } };

test('unchanged files change nothing', async () => {
  const { renewed, reported } = setUp();
  await renewed.look();
  expect([renewed.current.cert, reported]).toEqual(['first', []]);
});

test('a new pair is used after the next check', async () => {
  const { renewed, reported, put } = setUp();
  put({ ok: true, certificate: certificate('second') });
  await renewed.look();
  await renewed.look();
  expect([renewed.current.cert, reported]).toEqual(['second', ['replaced by second']]);
});

test('an unusable pair leaves the old one in use, and is reported once, at the second check', async () => {
  const { renewed, reported, put } = setUp();
  put(broken);
  await renewed.look();
  expect(reported).toEqual([]);
  for (let looks = 0; looks < 5; looks++) await renewed.look();
  expect([renewed.current.cert, reported]).toEqual(['first', ['refused: key does not belong']]);
});

test('files that are written one after the other are not reported', async () => {
  const { renewed, reported, put } = setUp();
  put(broken);
  await renewed.look();
  put({ ok: true, certificate: certificate('second') });
  await renewed.look();
  put(broken);
  await renewed.look();
  expect(reported).toEqual(['replaced by second']);
});

test('an expired new pair is refused', async () => {
  const { renewed, reported, put } = setUp();
  put({ ok: true, certificate: certificate('old', 10) });
  await renewed.look();
  await renewed.look();
  expect(renewed.current.cert).toBe('first');
  expect(reported).toEqual(['refused: expired at 1970-01-01T00:00:00.010Z']);
});

test('a certificate that is not renewed is reported once a day', async () => {
  const { renewed, reported, at } = setUp();
  for (const hours of [0, 1, 23, 25, 30, 50]) {
    at(90 * dayMs + hours * 3_600_000);
    await renewed.look();
  }
  expect(reported).toEqual(['expires in 10 days', 'expires in 8 days,', 'expires in 7 days,']);
});
