import { afterAll, describe, expect, test } from 'bun:test';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { certificateMaker, curve } from '@flowgate/testing/certificates';
import { type Certificate, dateProblem, loadCertificate, renewalAdvice } from './certificate.ts';

const maker = certificateMaker();
afterAll(() => maker.remove());
const own = maker.make('own');
const other = maker.make('other');
const dayMs = 86_400_000;

function written(name: string, text: string): string {
  const path = join(maker.directory, name);
  writeFileSync(path, text);
  return path;
}

async function loaded(): Promise<Certificate> {
  const found = await loadCertificate(own);
  if (!found.ok) throw new Error(found.problem.message);
  return found.certificate;
}

test('a certificate and its key are read with the time in which clients accept them', async () => {
  const { cert, validFromMs, validToMs } = await loaded();
  expect(cert).toBe(own.pem);
  expect(Math.round((validToMs - validFromMs) / dayMs)).toBe(30);
});

test('a chain is valid only while all of its certificates are', async () => {
  const brief = maker.make('brief', 3);
  const chain = written('chain.pem', `${own.pem}\n${brief.pem}`);
  const found = await loadCertificate({ certificate: chain, key: own.key });
  if (!found.ok) throw new Error(found.problem.message);
  expect(Math.round((found.certificate.validToMs - found.certificate.validFromMs) / dayMs)).toBe(3);
});

describe('unusable files are reported with the reason', () => {
  const wrong: Record<string, readonly [certificate: string, key: string, file: string, message: string]> = {
    'no certificate file': ['/nowhere/a.pem', own.key, 'certificate', 'cannot be read: there is no such file'],
    'no key file': [own.certificate, '/nowhere/a.key', 'key', 'cannot be read: there is no such file'],
    'a directory': [maker.directory, own.key, 'certificate', 'cannot be read: EISDIR'],
    'a key in the place of the certificate': [own.key, own.key, 'certificate', 'contains no certificate in PEM'],
    'a certificate in the place of the key': [
      own.certificate,
      own.certificate,
      'key',
      'contains no private key in PEM',
    ],
    'the key of another one': [own.certificate, other.key, 'key', 'does not belong to the first certificate'],
    'an issuer that is not a certificate': [
      written('rubbish.pem', `${own.pem}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`),
      own.key,
      'certificate',
      'contains a certificate that cannot be read',
    ],
    'an issuer that is being written': [
      written('partial.pem', own.pem + other.pem.slice(0, 200)),
      own.key,
      'certificate',
      'contains a certificate that cannot be read',
    ],
    'an issuer in another alphabet than base64': [
      written('dashes.pem', `${own.pem}-----BEGIN CERTIFICATE-----\nAA-AA\n-----END CERTIFICATE-----\n`),
      own.key,
      'certificate',
      'contains a certificate that cannot be read',
    ],
    'a file without an end': [written('large.pem', 'x'.repeat(1_100_000)), own.key, 'certificate', 'has more than'],
  };
  for (const [name, [certificate, key, file, message]] of Object.entries(wrong))
    test(name, async () => {
      const found = await loadCertificate({ certificate, key });
      if (found.ok) throw new Error('it was taken');
      expect(found.problem.file).toBe(file as 'key');
      expect(found.problem.message).toStartWith(message);
    });

  test('an encrypted key', async () => {
    const encrypted = join(maker.directory, 'encrypted.key');
    Bun.spawnSync(['openssl', 'pkcs8', '-topk8', '-in', own.key, '-out', encrypted, '-passout', 'pass:secret']);
    const found = await loadCertificate({ certificate: own.certificate, key: encrypted });
    expect(found.ok ? '' : found.problem.message).toContain('encrypted');
  });
});

test('an expired certificate, one not yet valid, and one that expires within 14 days are reported', async () => {
  const certificate = await loaded();
  const { validFromMs, validToMs } = certificate;
  expect(dateProblem(certificate, validFromMs + dayMs)).toBeUndefined();
  expect(dateProblem(certificate, validToMs + 1)).toStartWith('expired at 20');
  expect(dateProblem(certificate, validFromMs - 1)).toStartWith('is not valid before 20');
  expect(renewalAdvice(certificate, validToMs - 15 * dayMs)).toBeUndefined();
  expect(renewalAdvice(certificate, validToMs - 13.5 * dayMs)).toStartWith('expires in 13 days');
  expect(renewalAdvice(certificate, validToMs + dayMs)).toBeUndefined();
});

test.each([
  [0o600, false],
  [0o640, false],
  [0o644, true],
  [0o660, true],
  [0o602, true],
])('a key file of mode %p is exposed: %p', async (mode, isExposed) => {
  chmodSync(own.key, mode);
  expect((await loaded()).isKeyExposed).toBe(isExposed);
});

describe('keys', () => {
  const rsa = (bits: number) => [`rsa:${bits}`];
  const kinds: Record<string, readonly [key: readonly string[], verdict: string]> = {
    'RSA of 1024 bits': [rsa(1024), 'weak: has an RSA key of 1024 bits, which clients refuse'],
    'RSA of 2047 bits': [rsa(2047), 'weak: has an RSA key of 2047 bits, which clients refuse'],
    'RSA of 2048 bits': [rsa(2048), 'good'],
    'P-256': [curve('prime256v1'), 'good'],
    'P-384': [curve('secp384r1'), 'good'],
    'P-521': [curve('secp521r1'), 'rare: has a key (secp521r1) that browsers refuse'],
    Ed25519: [['ed25519'], 'rare: has a key (ed25519) that browsers refuse'],
    Ed448: [['ed448'], 'unusable: has a key of a kind that clients refuse'],
    secp256k1: [curve('secp256k1'), 'unusable: has a key of a kind that clients refuse'],
    'P-224': [curve('secp224r1'), 'unusable: has a key on a curve that clients refuse (secp224r1)'],
    brainpool: [curve('brainpoolP256r1'), 'unusable: has a key of a kind that clients refuse'],
  };
  const verdictOn = async (files: { readonly certificate: string; readonly key: string }) => {
    const found = await loadCertificate(files);
    if (!found.ok) return `unusable: ${found.problem.message}`;
    const { weakness, rarity } = found.certificate;
    if (weakness !== undefined) return `weak: ${weakness}`;
    return rarity === undefined ? 'good' : `rare: ${rarity}`;
  };
  for (const [name, [key, verdict]] of Object.entries(kinds)) {
    test(`${name} of the certificate`, async () => {
      const made = maker.make(`key ${name}`, 30, key);
      expect(await verdictOn(made)).toStartWith(verdict);
      const chain = written(`chain ${name}.pem`, `${own.pem}\n${made.pem}`);
      expect(await verdictOn({ certificate: chain, key: own.key })).toStartWith(verdict);
    });
  }
});
