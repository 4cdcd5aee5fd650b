/** The hosts to which a text leads: of links, of domains and addresses that clients make links of, and of e-mail addresses. */

import { domainToASCII } from 'node:url';

/** Top-level domains that end a domain without a scheme, `www.` or path. Names of files and members of objects end with others (`.js`, `.md`, `.name`). */
const topLevel =
  'com|net|org|io|app|xyz|dev|finance|financial|site|online|info|co|link|click|top|live|pro|cloud|tech|store|shop|exchange|eu|biz|club|vip|win|icu|gg|cash|money|fund|capital|trade|trading|market|markets|digital|world|space|website|support|help|claims|bank|page|wtf|lol|fun|art|games|network|community|social|chat|agency|center|services|solutions|systems|software|tools|zone|team|today|run|expert|directory|gift|gifts|bid|loan|credit|insure|tax|law|ai|cc|su|pw|tk|ml|ga|cf|gq|ru|cn|uk|nl|pl|br|jp|kr|tr|ua|ch|ly|tv|ws|bz|vc|example|invalid|onion';

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';

/** `https://host`, also with a user before it. */
const withScheme =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/@?#]{0,100}@)?([^\s/?#:@"'<>()[\]{}|\\^`,;!]{1,253})/giu;

/** A domain. */
const bare = new RegExp(
  `(?<![\\p{L}\\p{N}@./_-])((?:${label}\\.){1,8}(?:${topLevel}))(?![\\p{L}\\p{N}_(-]|\\.[\\p{L}\\p{N}])`,
  'giu',
);

/** Any top-level domain, where `www.` or a path shows that a link is meant. */
const withPath = new RegExp(
  `(?<![\\p{L}\\p{N}@./_-])(?:www\\.(?:${label}\\.){1,8}\\p{L}{2,24}|(?:${label}\\.){1,8}\\p{L}{2,24}(?=(?::\\d{2,5})?\\/[\\p{L}\\p{N}?#~_-]))`,
  'giu',
);

const mail = new RegExp(`(?<=[\\p{L}\\p{N}]@)(?:${label}\\.){1,8}\\p{L}{2,24}`, 'giu');

/** An IPv4 address that is called: with a port or a path. */
const numeric = /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?=:\d{2,5}|\/\w)(?!\/\d{1,2}(?!\w))/g;

/** `hxxps://evil[.]com`, `evil dot com`, `evil . com`: spellings that people undo and other filters do not. */
function undisguised(text: string): string {
  if (!/hxxp|[[({] ?(?:\.|dot|punkt|punto|point)|\sdot\s|\s\.\s?\p{L}|\p{L}[\u3002\uff61][a-z]/iu.test(text))
    return text;
  return text
    .replaceAll(/hxxp/gi, 'http')
    .replaceAll(/ ?[[({] ?(?:\.|dot|punkt|punto|point) ?[\])}] ?/gi, '.')
    .replaceAll(/(?<=[\p{L}\p{N}])[\u3002\uff61](?=[a-z])/giu, '.')
    .replaceAll(spelledDot, '.');
}

const spelledDot = new RegExp(`(?<=[\\p{L}\\p{N}]) (?:dot |\\. ?)(?=(?:${topLevel})(?![\\p{L}\\p{N}]))`, 'giu');

/** Reserved for documentation (RFC 2606, RFC 6761). */
const leadsNowhere =
  /^(?:(?:.{1,200}\.)?example\.(?:com|net|org)|localhost|.{1,200}\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0)$/;

export type LinkedHosts = {
  /** Of links and bare domains. */
  readonly links: readonly string[];
  /** Of e-mail addresses. Texts repeat those of users. */
  readonly mail: readonly string[];
};

export const noHosts: LinkedHosts = { links: [], mail: [] };

/** In lower case and in the form for the DNS, each once; at most `maxHosts` of each. */
export function linkedHosts(normal: string): LinkedHosts {
  if (!/[.@\u3002\uff61]|dot|:\/\//i.test(normal)) return noHosts;
  const text = undisguised(normal);
  return { links: hostsIn(text, [withScheme, bare, withPath, numeric]), mail: hostsIn(text, [mail]) };
}

function hostsIn(text: string, patterns: readonly RegExp[]): readonly string[] {
  const hosts = new Set<string>();
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern)) {
      const host = match[1] ?? match[0];
      const plain = plainHost(host);
      // Links of other schemes lead to content, not to a host.
      if (!plain.includes('.') || leadsNowhere.test(plain) || isCapitalised(host)) continue;
      hosts.add(plain);
      if (hosts.size > maxHosts) return [...hosts];
    }
  return [...hosts];
}

/** No app declares as many. */
const maxHosts = 100;

function plainHost(host: string): string {
  const plain = host
    .toLowerCase()
    .replace(/^www\./, '')
    .replace(/\.$/, '');
  return /[^\0-\x7f]/.test(plain) ? domainToASCII(plain) || plain : plain;
}

/** `done.Click here`: the blank between two sentences is missing. */
const isCapitalised = (host: string): boolean => /\p{Ll}\.\p{Lu}\p{Ll}*$/u.test(host);

/** Whether a host is one of the domains, or below one. */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
