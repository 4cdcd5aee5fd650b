/** Filter rule about links: https, to a host that is what it looks like (decisions 8; RFC 3986, WHATWG URL). */

import { domainToUnicode } from 'node:url';
import type { TextReading } from './content-filter-text.ts';

const unsafe: readonly RegExp[] = [
  // Any scheme with an authority, but https.
  /(?<![a-z0-9+.-])(?!https:)[a-z][a-z0-9+.-]{0,30}:(?:\/\/|\\\\|\/\\|\\\/)/i,
  // Schemes that browsers and wallets act on without one. `http:evil.example` is a link too.
  /(?<![a-z0-9+.-])(?:javascript|vbscript|livescript|view-source|jar|mhtml)\s*:/i,
  /(?<![a-z0-9+.-])(?:http|ftp|file|blob|filesystem|intent|mailto)\s*:[^\s]/i,
  /(?<![a-z0-9+.-])data:(?:[a-z]+\/[a-z0-9.+*-]+)?(?:;[a-z0-9=-]+)*,/i,
  /(?<![a-z0-9+.-])data:[a-z]+\/[a-z0-9.+*-]+/i,
  /(?<![a-z0-9+.-])(?:wc:[0-9a-f-]{8}|ethereum:(?:pay-)?0x|bitcoin:[a-z0-9]{20})/i,
  // https with anything but two slashes and a host is read differently by different readers.
  /(?<![a-z0-9+.-])https\s*:(?!\/\/[^\s/\\?#])[^\s]/i,
  // Relative to whatever page shows it.
  /(?:^|[\s("'=])(?:\/\/|\\\\|\/\\)[a-z0-9-]{1,63}\.[a-z]{2}/i,
];

/** Browsers drop tabs and newlines within a URL, decode what is percent-encoded when they follow a redirect, and read full-width letters as plain ones. */
export function hasUnsafeLink({ normal }: TextReading): boolean {
  if (!/[:\\%]|\/\//.test(normal)) return false;
  return spellings(normal).some((text) => unsafe.some((pattern) => pattern.test(text)) || hasOddHost(text));
}

function spellings(text: string): readonly string[] {
  const list = [text];
  if (/[\t\r\n]/.test(text)) list.push(text.replace(/[\t\r\n]+/g, ''));
  let decoded = text;
  for (let times = 0; times < 3 && /%[2-7][0-9a-f]/i.test(decoded); times++) {
    decoded = decoded.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    list.push(decoded);
  }
  return list;
}

/** Userinfo, escapes and backslashes before the path, or a name in letters of several scripts: all made to be misread. */
function hasOddHost(text: string): boolean {
  for (const [, authority = ''] of text.matchAll(/https:\/\/([^/?#\s"'<>]{1,300})/gi)) {
    if (/[@\\%]/.test(authority)) return true;
    const host = authority.replace(/:\d*$/, '').toLowerCase();
    if (/[^\0-\x7f]|xn--/.test(host) && !isOneScript(host)) return true;
  }
  return false;
}

/** Each label in Latin, or in one other script without Latin, as registries have it (UTS 39, single script; Japanese and Korean with Han). */
function isOneScript(host: string): boolean {
  const name = host.includes('xn--') ? domainToUnicode(host) : host;
  if (name === '') return false;
  return name.split(/[.\u3002]/).every((label) => scripts.some((script) => script.test(label)));
}

const scripts = [
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
    // A Cyrillic name of nothing but Latin look-alikes is one; some letter has to be Cyrillic to the eye.
    /^(?=.*[бгджзийлпфцчшщъыьэюя])[\p{Script=Cyrillic}\p{Nd}-]*$/u,
  );
