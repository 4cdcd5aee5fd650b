/** Filter rule against raw secrets in a text, recognized by form or checksum (WIF, BIP-32, BIP-39, NIP-19, Solana's keys, RFC 7468). */

import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { bytesOfBase58 } from '@flowgate/chain/base58';
import { decodeReferences } from './character-references.ts';
import type { TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';
import { holdsSeedPhrase } from './seed-phrases.ts';

/** PEM, Nostr, age. Nothing else has these forms. */
const unmistakable =
  /-----BEGIN (?:[A-Z]{2,12} ){0,3}PRIVATE KEY-----|(?<![a-z0-9])nsec1[02-9ac-hj-np-z]{58}(?![a-z0-9])|AGE-SECRET-KEY-1[02-9AC-HJ-NP-Z]{58}/i;

export function exposedSecretFinding(text: TextReading): Finding {
  return holdsSecret(text.normal) ? 'refuse' : undefined;
}

export function holdsSecret(given: string): boolean {
  if (given.length < minLength) return false;
  const normal = given.includes('&') ? decodeReferences(given) : given;
  return unmistakable.test(normal) || holdsKeyText(normal) || holdsNamedKey(normal) || holdsSeedPhrase(normal);
}

/** A PEM header. */
const minLength = 27;

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

/** Hexadecimal digits are a hash as often as a key; these names before them decide. `weak` names count only on the same line and near the digits. */
const strongName =
  /(?<!(?:public|storage|api|map|mapping|idempotency|cache|view|group|lookup|verification|verifying|compressed|pub|foreign|primary|partition|routing|sort)[ _-]?)(?:priv(?:ate)?[ _-]?keys?|secret[ _-]?keys?|(?:seed|mnemonic)(?![a-z])|private? ?schlüssel|geheimer schlüssel|cl[ée] (?:priv|secr)|clave (?:priv|secr)|llave priv|chiave priv|chave priv|(?:приватн|закрыт|секретн)\S{0,6} ключ|私钥|私鑰|秘密鍵|密钥|개인 ?키|المفتاح الخاص)/gi;
const weakName =
  /(?<!(?:public|storage|api|map|mapping|idempotency|cache|view|group|lookup|verification|verifying|compressed|pub|foreign|primary|partition|routing|sort)[ _-]?)(?:(?<![a-z])keys?(?![a-z])|(?<![a-z])(?:sk|pk|pkey)(?=\s?[:=])|schlüssel|clave|llave|chiave|chave|ключ|anahtar|مفتاح|klucz|sleutel|khóa|kunci)/gi;

/** Names after the digits. */
const laterName =
  /priv(?:ate)?[ _-]?key|secret[ _-]?key|private? ?schlüssel|clé privée|clave privada|chiave privata|chave privada|приватн|закрыт|私钥|私鑰|秘密鍵/i;

/** Words that mean a hash, or a key that is not secret. */
const publicName =
  /public|öffentlich|publi(?:que|ca|co)|pública|pubblic|открыт|публичн|公钥|公鑰|公開鍵|공개|storage|hash|root|block|slot|topic|merkle|tx|transaction|signature|nullifier|commitment/i;

/** Groups of hexadecimal digits: `dd303398 84a58a30 …`, `dd:30:33:98…`, two lines. */
const groupedHex = /(?<![0-9a-z])(?:0x)?[0-9a-f]{2,32}(?:[ \n_:,-]{1,2}[0-9a-f]{2,32}){1,31}(?![0-9a-z])/gi;

const joinedHex = (text: string): string =>
  text.replaceAll(groupedHex, (digits) => {
    const joined = digits.replaceAll(/[^0-9a-fx]/gi, '');
    return /^(?:0x)?[0-9a-f]{64}$/i.test(joined) ? joined : digits;
  });

const hexKey = /(?<![0-9a-f])(?:0x)?[0-9a-f]{64}(?![0-9a-f])/gi;

/** 32 bytes in Base64, or as a list. Only strong names make them keys. */
const otherKey = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=|\[\s?(?:\d{1,3}\s?,\s?){31}\d{1,3}\s?\]/g;

const strongReach = 120;
const weakReach = 40;
/** A name after the digits may be part of a longer one: “private key hash”. Later text is about something else. */
const headReach = 6;

function holdsNamedKey(given: string): boolean {
  const text = joinedHex(given);
  for (const { 0: key, index } of text.matchAll(hexKey)) {
    const before = text.slice(Math.max(0, index - strongReach), index);
    const line = before.slice(Math.max(0, before.trimEnd().lastIndexOf('\n') + 1, before.length - weakReach));
    const after = text.slice(index + key.length, index + key.length + weakReach).split('\n', 1)[0] ?? '';
    if (isNamed(before, strongName) || isNamed(line, weakName)) return true;
    const named = laterName.exec(after);
    if (named !== null && !publicName.test(after.slice(0, named.index + named[0].length + headReach))) return true;
  }
  for (const { index } of text.matchAll(otherKey))
    if (isNamed(text.slice(Math.max(0, index - strongReach), index), strongName)) return true;
  return false;
}

/** Whether a text calls the digits after it a private key, and no text between the last such name and its end calls them public. `name` is global. */
function isNamed(before: string, name: RegExp): boolean {
  const last = [...before.matchAll(name)].at(-1);
  return last !== undefined && !publicName.test(before.slice(last.index));
}
