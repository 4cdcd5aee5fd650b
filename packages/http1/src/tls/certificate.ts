/** A certificate chain and its private key in two files: read, and checked before clients get them. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

export type CertificateFiles = {
  /** PEM: the certificate, then those of its issuers. */
  readonly certificate: string;
  /** PEM, not encrypted. */
  readonly key: string;
};

export type Certificate = {
  readonly cert: string;
  readonly key: string;
  /** Of the whole chain: from the latest `validFrom` to the earliest `validTo`. */
  readonly validFromMs: number;
  readonly validToMs: number;
  /** Other users of the machine can read or change the key. */
  readonly isKeyExposed: boolean;
  /** Why clients refuse a key of the chain; undefined when they do not. */
  readonly weakness: string | undefined;
  /** Why some clients refuse a key of the chain; undefined when none do. */
  readonly rarity: string | undefined;
};

/** `message` continues a sentence that begins with the name of `file`, and contains nothing of the file's content. */
export type CertificateProblem = { readonly file: keyof CertificateFiles; readonly message: string };

export type LoadedCertificate =
  | { readonly ok: true; readonly certificate: Certificate }
  | { readonly ok: false; readonly problem: CertificateProblem };

/** Chains are a few thousand bytes long. */
const maxBytes = 1_048_576;
const certificateForm = /-----BEGIN CERTIFICATE-----[^-]{1,100000}-----END CERTIFICATE-----/g;
const unreadable = 'contains a certificate that cannot be read';
/** Readable by other users, or writable by users other than the owner. */
const exposingModes = 0o026;

/** `unusable`: TLS here cannot use such a key either. `refused`: it can, and clients refuse it. `rare`: some clients, browsers among them, refuse it. */
type KeyStrength =
  | { readonly kind: 'good' }
  | { readonly kind: 'unusable' | 'refused' | 'rare'; readonly message: string };

/**
 * The minimum that browsers and system libraries accept, and that the rules of public certificate authorities allow.
 */
const minRsaBits = 2048;
const goodCurves: readonly string[] = ['prime256v1', 'secp384r1'];
const rareKinds: readonly string[] = ['secp521r1', 'ed25519'];
const better = 'use EC on P-256 or P-384, or RSA of 2048 bits or more';

/**
 * Whether clients accept the keys of certificates. A key that is too short, or on a curve that few clients know, ends
 * the handshake.
 */
function keyStrength(certificate: X509Certificate): KeyStrength {
  const key = publicKeyOf(certificate);
  if (key === undefined) return { kind: 'unusable', message: `has a key of a kind that clients refuse: ${better}` };
  if (key.asymmetricKeyType === 'rsa') {
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits >= minRsaBits) return { kind: 'good' };
    return { kind: 'refused', message: `has an RSA key of ${bits} bits, which clients refuse: ${better}` };
  }
  const name = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  if (goodCurves.includes(name)) return { kind: 'good' };
  if (rareKinds.includes(name)) return { kind: 'rare', message: `has a key (${name}) that browsers refuse: ${better}` };
  return { kind: 'unusable', message: `has a key on a curve that clients refuse (${name}): ${better}` };
}

/** Undefined for kinds of keys that the runtime's library does not know. */
function publicKeyOf(certificate: X509Certificate): X509Certificate['publicKey'] | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

export async function loadCertificate(files: CertificateFiles): Promise<LoadedCertificate> {
  const [chainFile, keyFile] = await Promise.all([readText(files.certificate), readText(files.key)]);
  if ('reason' in chainFile) return wrong('certificate', chainFile.reason);
  if ('reason' in keyFile) return wrong('key', keyFile.reason);
  const chain = (chainFile.text.match(certificateForm) ?? []).map(parsedCertificate);
  const [leaf] = chain;
  if (leaf === undefined) return wrong('certificate', 'contains no certificate in PEM');
  const whole = chain.filter((each) => each !== undefined);
  if (whole.length < chain.length) return wrong('certificate', unreadable);
  const strengths = whole.map(keyStrength);
  const messageOf = (kind: KeyStrength['kind']) =>
    strengths.flatMap((each) => (each.kind === kind && each.kind !== 'good' ? [each.message] : []))[0];
  const unusable = messageOf('unusable');
  if (unusable !== undefined) return wrong('certificate', unusable);
  const key = parsedKey(keyFile.text);
  if (key === undefined) return wrong('key', 'contains no private key in PEM, or one that is encrypted');
  if (!leaf.checkPrivateKey(key)) return wrong('key', 'does not belong to the first certificate');
  if (!isTakenByTls(chainFile.text, keyFile.text)) return wrong('certificate', unreadable);
  return {
    ok: true,
    certificate: {
      cert: chainFile.text,
      key: keyFile.text,
      validFromMs: Math.max(...whole.map(({ validFrom }) => Date.parse(validFrom))),
      validToMs: Math.min(...whole.map(({ validTo }) => Date.parse(validTo))),
      isKeyExposed: (keyFile.mode & exposingModes) !== 0,
      weakness: messageOf('refused'),
      rarity: messageOf('rare'),
    },
  };
}

function wrong(file: keyof CertificateFiles, message: string): LoadedCertificate {
  return { ok: false, problem: { file, message } };
}

/** Why clients refuse the certificate now; undefined when they do not. */
export function dateProblem({ validFromMs, validToMs }: Certificate, nowMs: number): string | undefined {
  if (nowMs > validToMs) return `expired at ${new Date(validToMs).toISOString()}`;
  if (nowMs < validFromMs) return `is not valid before ${new Date(validFromMs).toISOString()}`;
  return undefined;
}

const dayMs = 86_400_000;
const renewalDays = 14;

/** A warning when the certificate expires soon; undefined when there is time. */
export function renewalAdvice(certificate: Certificate, nowMs: number): string | undefined {
  const leftMs = certificate.validToMs - nowMs;
  if (leftMs < 0 || leftMs > renewalDays * dayMs) return undefined;
  return `expires in ${Math.floor(leftMs / dayMs)} days, at ${new Date(certificate.validToMs).toISOString()}`;
}

async function readText(
  path: string,
): Promise<{ readonly text: string; readonly mode: number } | { readonly reason: string }> {
  try {
    await using file = await open(path);
    const { mode, size } = await file.stat();
    if (size > maxBytes) return { reason: `has more than ${maxBytes} bytes` };
    return { text: await file.readFile('latin1'), mode };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    return { reason: `cannot be read: ${code === 'ENOENT' ? 'there is no such file' : code}` };
  }
}

/**
 * Whether TLS accepts the files. It reads them by itself: an invalid part, such as a certificate that is still being
 * written, would make it refuse every connection.
 */
function isTakenByTls(cert: string, key: string): boolean {
  try {
    createSecureContext({ cert, key });
    return true;
  } catch {
    return false;
  }
}

function parsedCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function parsedKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
