/** Filter rule against raw secrets in a text, which their form or checksum proves (WIF, BIP-32, BIP-39, NIP-19, Solana's keys, RFC 7468). */

import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { bytesOfBase58 } from '@flowgate/chain/base58';
import type { TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';
import { holdsSeedPhrase } from './seed-phrases.ts';

/** PEM, Nostr, age. Nothing else has these forms. */
const unmistakable =
  /-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----|(?<![a-z0-9])nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])|AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/i;

export function exposedSecretFinding({ normal }: TextReading): Finding {
  if (normal.length < minLength) return undefined;
  return unmistakable.test(normal) || holdsKeyText(normal) || holdsNamedKey(normal) || holdsSeedPhrase(normal)
    ? 'refuse'
    : undefined;
}

/** Twelve words of three letters. */
const minLength = 40;

/** Private keys in base 58 and as lists of bytes. Hashes, addresses and signatures have the same forms, and fail the check. */
function holdsKeyText(text: string): boolean {
  for (const [word] of text.matchAll(/(?<![1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{51,112}(?![1-9A-HJ-NP-Za-km-z])/g))
    if (isBase58Key(word)) return true;
  for (const [list] of text.matchAll(/\[\s?(?:\d{1,3}\s?,\s?){63}\d{1,3}\s?\]/g))
    if (isSolanaKey(Uint8Array.from(list.slice(1, -1).split(','), Number))) return true;
  return false;
}

function isBase58Key(word: string): boolean {
  const isWif = word.length <= 52 && /^[59KLc]/.test(word);
  const isExtended = word.length >= 107 && /^[a-zA-Z]prv/.test(word);
  const isSolana = word.length >= 80 && word.length <= 90;
  if (!isWif && !isExtended && !isSolana) return false;
  const bytes = bytesOfBase58(word);
  if (bytes === undefined) return false;
  return isSolana ? isSolanaKey(bytes) : hasChecksum(bytes);
}

function hasChecksum(bytes: Uint8Array): boolean {
  const sum = sha256(sha256(bytes.subarray(0, -4))).subarray(0, 4);
  return sum.equals(bytes.subarray(-4));
}

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** PKCS 8 of an Ed25519 key, up to its 32 bytes. */
const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** 64 bytes of which the second half is the public key of the first. */
function isSolanaKey(bytes: Uint8Array): boolean {
  if (bytes.length !== 64) return false;
  const key = createPrivateKey({ key: Buffer.concat([pkcs8, bytes.subarray(0, 32)]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return spki.subarray(-32).equals(bytes.subarray(32));
}

/** 64 hexadecimal digits are a hash as often as a key: these words before them, on the same line, say which. */
const namedKey =
  /(?<!(?:public|storage|api|map|mapping|idempotency|cache|view|group|lookup|verification|verifying|compressed|pub|foreign|primary|partition|routing|sort)[ _-]?)(?:priv(?:ate)?[ _-]?keys?|secret[ _-]?keys?|(?<![a-z])keys?(?![a-z])|(?<![a-z])(?:sk|pk|pkey)(?=\s?[:=])|seed|schlüssel|cl[ée] (?:priv|secr)|clave|llave|chiave|chave|ключ|私钥|私鑰|秘密鍵|密钥|개인 ?키|anahtar|المفتاح|مفتاح|klucz|sleutel|khóa|kunci)[^\n]{0,40}?(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])/i;

/** The same with the words behind. */
const keyNamedLater =
  /(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])[^\n]{0,24}?(?:priv(?:ate)?[ _-]?key|secret[ _-]?key|private? ?schlüssel|clé privée|clave privada|chiave privata|chave privada|приватн|закрыт|私钥|私鑰|秘密鍵)/i;

/** What makes it a hash, or a key that is meant to be seen. */
const publicName =
  /public|öffentlich|publi(?:que|ca|co)|pública|pubblic|открыт|публичн|公钥|公鑰|公開鍵|공개|storage|hash|root|block|slot|topic|merkle|tx|nullifier|commitment/i;

/** 64 hexadecimal digits in groups: `dd303398 84a58a30 …`. */
const groupedHex =
  /(?<![0-9a-f])(?:0x)?(?:[0-9a-f]{4}[ _:-]){15}[0-9a-f]{4}(?![0-9a-f])|(?<![0-9a-f])(?:0x)?(?:[0-9a-f]{8}[ _:-]){7}[0-9a-f]{8}(?![0-9a-f])|(?<![0-9a-f])(?:0x)?(?:[0-9a-f]{16}[ _:-]){3}[0-9a-f]{16}(?![0-9a-f])|(?<![0-9a-f])(?:0x)?[0-9a-f]{32}[ _:-][0-9a-f]{32}(?![0-9a-f])/gi;

function holdsNamedKey(given: string): boolean {
  const text = given.replaceAll(groupedHex, (digits) => digits.replaceAll(/[ _:-]/g, ''));
  if (!/[0-9a-f]{64}/i.test(text)) return false;
  return [namedKey, keyNamedLater].some((pattern) => {
    const [found] = pattern.exec(text) ?? [];
    return found !== undefined && !publicName.test(found);
  });
}
