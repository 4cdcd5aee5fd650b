/** Filter rule about links: only https, to a host that is not misleading (contract/flow-apps#content-filter; RFC 3986, WHATWG URL). */

import { domainToUnicode } from 'node:url';
import { lookedLike, type TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';
import { imitatedNames, shorteners } from './known-hosts.ts';

/** Schemes that lead to content or a payment and do not run code. */
const harmlessSchemes = new Set(['ipfs', 'ipns', 'ar', 'ws', 'wss', 'git', 'ssh']);

const scripts = /(?<![a-z0-9+.-])(?:javascript|vbscript|livescript|view-source|jar|mhtml)\s{0,8}:/i;

const unsafe: readonly RegExp[] = [
  // Schemes that browsers and wallets act on without an authority. `http:evil.example` is a link too.
  scripts,
  /(?<![a-z0-9+.-])(?:http|ftp|file|blob|filesystem|intent)\s{0,8}:(?!\/\/)\S/i,
  /(?<![a-z0-9+.-])data:(?:[a-z]{1,20}\/[a-z0-9.+*-]{1,60})?(?:;[a-z0-9=-]{1,60}){0,8},/i,
  /(?<![a-z0-9+.-])data:[a-z]{1,20}\/[a-z0-9.+*-]/i,
  // WalletConnect: opening the link connects the wallet to another application.
  /(?<![a-z0-9+.-])wc:[0-9a-f-]{8}/i,
  // Parsers disagree about `https:` without two slashes and a host.
  /(?<![a-z0-9+.-])https\s{0,8}:(?!\/\/[^\s/\\?#])\S/i,
  // Relative to the page that shows the text.
  /(?:^|[\s("'=])(?:\/\/|\\\\|\/\\)[a-z0-9-]{1,63}\.[a-z]{2}/i,
];

/** Schemes that open a mail, a call, a download or a payment, which the user sees before it is sent. */
const opening =
  /(?<![a-z0-9+.-])(?:mailto\s{0,8}:\S|(?:tel|sms|smsto|callto|facetime):[+\d]|magnet:\?|ethereum:(?:pay-)?0x|(?:bitcoin|solana|litecoin|monero|cosmos|tron):[a-z0-9]{20})/i;

const withAuthority = /(?<![a-z0-9+.-])([a-z][a-z0-9+.-]{0,30}):(\/\/|\\\\|\/\\|\\\/)([^/\\?#\s"'<>]{0,300})/gi;

/** Addresses of the local machine, which guides for developers link to. */
const local = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d{1,5})?$/i;

/** Reads the normalized text, because browsers drop tabs and newlines within a URL, decode percent-encoding when they follow redirects, and read full-width letters as plain ones. */
export function linkFindingOf({ normal, isAscii }: TextReading): Finding {
  const finding = linkFinding(normal);
  if (finding === 'refuse' || isAscii || !normal.includes(':')) return finding;
  // `javascript:` with a Cyrillic letter does not run, but is an attempt to hide.
  return scripts.test(lookedLike(normal)) ? 'refuse' : finding;
}

export function linkFinding(text: string): Finding {
  if (!/[:\\%]|\/\//.test(text)) return undefined;
  let flagged: Finding;
  for (const spelling of spellings(text)) {
    if (unsafe.some((pattern) => pattern.test(spelling)) || hasForeignLabel(spelling)) return 'refuse';
    const finding = authorityFinding(spelling);
    if (finding === 'refuse') return finding;
    flagged ??= finding ?? (opening.test(spelling) ? 'flag' : undefined);
  }
  return flagged;
}

function spellings(text: string): readonly string[] {
  const list = [text];
  // A link at the start of a line belongs to no word before it.
  if (/[\t\r\n]/.test(text))
    list.push(
      text.replace(/[\t\r\n]+/g, (run, at: number) => (text.startsWith('https://', at + run.length) ? ' ' : '')),
    );
  let decoded = text;
  for (let times = 0; times < 3 && /%[2-7][0-9a-f]/i.test(decoded); times++) {
    decoded = decoded.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    list.push(decoded);
  }
  return list;
}

function authorityFinding(text: string): Finding {
  let flagged: Finding;
  for (const { 1: scheme = '', 2: slashes = '', 3: authority = '', index } of text.matchAll(withAuthority)) {
    const name = scheme.toLowerCase();
    if (name !== 'https') {
      const isLocal = (name === 'http' || name === 'ws') && local.test(authority);
      if (slashes !== '//' || !(harmlessSchemes.has(name) || isLocal)) return 'refuse';
      flagged = 'flag';
      continue;
    }
    // The text after the first character that ends a host for some parsers counts too.
    const next = text[index + scheme.length + 3 + authority.length];
    if (/[@\\%]/.test(authority) || next === '\\') return 'refuse';
    const finding = hostFinding(authority.replace(/:\d{0,5}$/, '').toLowerCase());
    if (finding === 'refuse') return finding;
    flagged ??= finding;
  }
  return flagged;
}

/** Misleading hosts: an IP address, a name that mixes scripts, or one that imitates another. */
function hostFinding(host: string): Finding {
  if (/^\[/.test(host) || /^(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}\.?$/.test(host)) return 'refuse';
  // Names of services that resolve to the IP address in the name.
  if (/(?:^|[.-])\d{1,3}(?:(?:\.\d{1,3}){3}|(?:-\d{1,3}){3})\.[a-z]/.test(host)) return 'refuse';
  const labels = host.split(/[.\u3002]/);
  if (shorteners.has(host)) return 'flag';
  if (hasNameWithin(labels)) return 'refuse';
  const isSuspect = labels.some((label, nth) => nth < labels.length - 2 && label.includes('-') && hasNamePart(label));
  const plainFinding: Finding =
    isSuspect || /^(?:com|io|org|net|app|xyz|fi)-/.test(labels.at(-2) ?? '') ? 'flag' : undefined;
  if (!/[^\0-\x7f]|xn--/.test(host)) return plainFinding;
  const shown = host.includes('xn--') ? domainToUnicode(host) : host;
  if (shown === '') return 'refuse';
  const parts = shown.split(/[.\u3002]/);
  if (!parts.every((label) => oneScript.some((script) => script.test(label)))) return 'refuse';
  return parts.some((label) => /[^\0-\x7f]/.test(label) && imitatesName(label)) ? 'refuse' : 'flag';
}

/** `uniswap.org.claim.example`: a known domain followed by another one. */
function hasNameWithin(labels: readonly string[]): boolean {
  return labels.some(
    (label, nth) =>
      nth + 3 < labels.length &&
      imitatedNames.has(label) &&
      /^(?:com|io|org|net|app|xyz|fi|finance|exchange)$/.test(labels[nth + 1] ?? ''),
  );
}

const hasNamePart = (label: string): boolean => label.split('-').some((part) => imitatedNames.has(part));

function imitatesName(label: string): boolean {
  return hasNamePart(lookedLike(label.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase());
}

/** A Markdown link whose text is the address of another site. */
function hasForeignLabel(text: string): boolean {
  for (const { 1: target = '', index } of text.matchAll(/\]\(https:\/\/([^/?#\s)]{1,300})/gi)) {
    const before = text.slice(Math.max(0, index - maxOfLabel), index);
    const label = before.slice(before.lastIndexOf('[') + 1).trim();
    const [, shown = ''] = /^(?:https?:\/\/)?([a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8})/i.exec(label) ?? [];
    if (/\.[a-z]{2,24}$/i.test(shown) && site(shown) !== site(target)) return true;
  }
  return false;
}

const maxOfLabel = 300;

const site = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d{0,5}$/, '')
    .split('.')
    .slice(-2)
    .join('.');

/** Whether each label is in Latin, or in one other script without Latin, as registries require (UTS 39, single script; Japanese and Korean with Han). */
const oneScript = [
  'Latin',
  'Greek',
  'Arabic',
  'Hebrew',
  'Devanagari',
  'Bengali',
  'Tamil',
  'Thai',
  'Georgian',
  'Armenian',
  'Hangul',
]
  .map((script) => new RegExp(`^[\\p{Script=${script}}\\p{M}\\p{Nd}-]*$`, 'u'))
  .concat(
    /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Nd}-]*$/u,
    // A Cyrillic name must have a letter that does not look Latin.
    /^(?=.*[бгджзийлпфцчшщъыьэюя])[\p{Script=Cyrillic}\p{Nd}-]*$/u,
  );
