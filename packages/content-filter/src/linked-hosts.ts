/** The hosts to which a text links: in links, in domains and addresses that clients turn into links, and in e-mail addresses. */

import { domainToASCII } from 'node:url';

/** Top-level domains that end a domain without a scheme, `www.` or path. Names of files and members of objects have other endings (`.js`, `.md`, `.name`). */
const topLevel =
  'com|net|org|io|app|xyz|dev|finance|financial|site|online|info|co|link|click|top|live|pro|cloud|tech|store|shop|exchange|eu|biz|club|vip|win|icu|gg|cash|money|fund|capital|trade|trading|market|markets|digital|world|space|website|support|help|claims|bank|page|wtf|lol|fun|art|games|network|community|social|chat|agency|center|services|solutions|systems|software|tools|zone|team|today|run|expert|directory|gift|gifts|bid|loan|credit|insure|tax|law|ai|cc|su|pw|tk|ml|ga|cf|gq|ru|cn|uk|nl|pl|br|jp|kr|tr|ua|ch|ly|tv|ws|bz|vc|example|invalid|onion|de|fr|es|pt|gr|se|dk|cz|hu|ro|mx|kz|hk|sg|tw|vn|th|au|ca|onl|wiki|news|page|mobi|name|email|wallet|token|crypto|zip|mov|limo|rewards|claim|museum|рф|рус|онлайн|сайт|москва|бел|укр|中国|公司|网络|在线|网址|कंपनी|भारत|امارات|السعودية|شبكة|موقع';

/** Top-level domains that are also words or members of objects: only a name with a hyphen is a domain without a path. */
const ambiguousTopLevel =
  'it|in|is|at|be|to|me|us|my|no|so|as|am|id|ie|il|by|ar|cl|co|fi|ma|ng|nz|pe|ph|pk|re|sh|st|za|im|la|li|lt|lu|lv|rs|si|sk|tn|uy|uz|ws';

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]{0,61}[\\p{L}\\p{N}])?';

/** `https://host`, also with a user before the host. */
const withScheme =
  /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}:\/\/(?:[^\s/@?#]{0,100}@)?([^\s/?#:@"'<>()[\]{}|\\^`,;!]{1,253})/giu;

/** A domain. */
const bare = new RegExp(
  `(?<![\\p{L}\\p{N}@./_-])((?:${label}\\.){1,8}(?:${topLevel}))(?![\\p{L}\\p{N}_(-]|\\.[\\p{L}\\p{N}])`,
  'giu',
);

const hyphenated = new RegExp(
  `(?<![\\p{L}\\p{N}@./_-])((?:${label}\\.){0,3}[\\p{L}\\p{N}]{1,30}-[\\p{L}\\p{N}-]{1,30}\\.(?:${ambiguousTopLevel}))(?![\\p{L}\\p{N}_(-]|\\.[\\p{L}\\p{N}])`,
  'giu',
);

/** Any top-level domain, if `www.` or a path shows that a link is meant. */
const withPath = new RegExp(
  `(?<![\\p{L}\\p{N}@./_-])(?:www\\.(?:${label}\\.){1,8}\\p{L}{2,24}|(?:${label}\\.){1,8}\\p{L}{2,24}(?=(?::\\d{2,5})?\\/[\\p{L}\\p{N}?#~_-]))`,
  'giu',
);

/** Requests to write: `Write to`, `schreiben Sie an`. */
const asksToWrite =
  /(?<!\p{L})(?:write|writing|mail|e-mail|email|contact|reach|message|reply|respond|forward|attach|ask|send|escrib[ae]|escríbanos|contact[aeo]|contacte[rz]|env[ií][ae]|écrivez|écris|envoyez|contattaci|contatta|contatti|scriv[aei]|scrivici|escrev[ae]|envie|schreib|schreibe|schreiben|wende|wenden|kontaktiere|kontaktieren|напишите|пишите|联系|发送)(?!\p{L})/iu;

/** Maximum distance of such a request before an e-mail address. */
const maxRequestLength = 120;

const mail = new RegExp(`(?<=[\\p{L}\\p{N}]@)(?:${label}\\.){1,8}\\p{L}{2,24}`, 'giu');

/** An IPv4 address as a target: with a port or a path. */
const numeric = /(?<![\w.])(\d{1,3}(?:\.\d{1,3}){3})(?=:\d{2,5}|\/\w)(?!\/\d{1,2}(?!\w))/g;

/** `hxxps://evil[.]com`, `evil dot com`, `evil . com`: spellings that people understand and other filters do not. */
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
  /** Hosts of links, of bare domains, and of e-mail addresses to which the text asks the reader to write. */
  readonly links: readonly string[];
  /** Hosts of other e-mail addresses. Texts repeat those of users. */
  readonly mail: readonly string[];
};

export const noHosts: LinkedHosts = { links: [], mail: [] };

/** In lower case and in the form for the DNS, each once; at most `maxHosts` of each kind. */
export function linkedHosts(normal: string): LinkedHosts {
  if (!/[.@\u3002\uff61]|dot|:\/\//i.test(normal)) return noHosts;
  const text = undisguised(normal);
  const isSolicited = (at: number) => asksToWrite.test(clauseBefore(text, at));
  return {
    links: [...hostsIn(text, [withScheme, bare, hyphenated, withPath, numeric]), ...hostsIn(text, [mail], isSolicited)],
    mail: hostsIn(text, [mail]),
  };
}

/** The text before the address whose domain begins at `at`, back to the end of another sentence or address. */
function clauseBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - maxRequestLength), at - 1);
  const clause = before.slice(0, before.lastIndexOf(' ') + 1);
  return clause.slice(Math.max(...['. ', '!', '?', '\n', '@'].map((mark) => clause.lastIndexOf(mark))) + 1);
}

function hostsIn(text: string, patterns: readonly RegExp[], isMeant = (_at: number) => true): readonly string[] {
  const hosts = new Set<string>();
  for (const pattern of patterns)
    for (const match of text.matchAll(pattern)) {
      const host = match[1] ?? match[0];
      const plain = plainHost(host);
      // Links of other schemes lead to content, not to a host.
      if (!plain.includes('.') || leadsNowhere.test(plain) || isCapitalized(host) || !isMeant(match.index)) continue;
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

/** `done.Click here`: the space between two sentences is missing. No sentence begins with these domains. */
const isCapitalized = (host: string): boolean =>
  /\p{Ll}\.(?!(?:Com|Net|Org|Io|Xyz|Biz|Dev|Eu|Cc|Ru|Cn|Uk)$)\p{Lu}\p{Ll}*$/u.test(host);

/** Whether a host is one of the domains, or a subdomain. */
export const isWithin = (host: string, domains: readonly string[]): boolean =>
  domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
