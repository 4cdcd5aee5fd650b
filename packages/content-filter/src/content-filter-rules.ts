/** The rules of the content filter: the gateway's own, and those of the configuration (contract/flow-apps#content-filter). */

import { type ContentFilterOptions, compilePattern, type ownRuleIds } from './content-filter-settings.ts';
import { holdsNoWords, type TextReading } from './content-filter-text.ts';
import { exposedSecretFinding } from './exposed-secrets.ts';
import { bidirectionalFinding, hasControlCharacter, hasInvisibleCharacter } from './filter-characters.ts';
import { linkFindingOf } from './filter-links.ts';
import { markupFinding } from './filter-markup.ts';
import { fraudFinding, instructionFinding, secretRequestFinding } from './filter-phrases.ts';
import type { Finding } from './finding.ts';
import { linkedHosts } from './linked-hosts.ts';
import { lookAlikeFinding } from './look-alikes.ts';

export type Finds = (text: TextReading) => Finding;

/** `refuses` and `flags` are printed in docs/reference/content-filter.md. `warning` is sent to clients that show a flagged text; absent when the rule flags nothing. */
type OwnRule = {
  readonly ruleId: (typeof ownRuleIds)[number];
  readonly refuses: string;
  readonly flags?: string;
  readonly warning?: string;
  readonly finds: Finds;
};

export type Rule = { readonly ruleId: string; readonly warning: string; readonly finds: Finds };

const refuseIf =
  (found: (text: TextReading) => boolean): Finds =>
  (text) =>
    found(text) ? 'refuse' : undefined;

/** All of `ownRuleIds`, in order: the first rule that refuses is reported. */
export const ownRules: readonly OwnRule[] = [
  {
    ruleId: 'control-characters',
    refuses: 'Control characters, line and paragraph separators; newline, tab and CRLF are fine.',
    finds: refuseIf(hasControlCharacter),
  },
  {
    ruleId: 'bidirectional-characters',
    refuses:
      'Embeddings and overrides of the bidirectional algorithm, isolates that are not closed on their line; direction marks where nothing is written from right to left.',
    flags: 'Isolates in pairs where nothing is written from right to left.',
    warning: 'Holds characters that change the direction of text.',
    finds: bidirectionalFinding,
  },
  {
    ruleId: 'invisible-characters',
    refuses:
      'Characters that show nothing: zero-width ones, tags, fillers, stray variation selectors, byte order marks, half surrogate pairs. Joined emoji, soft hyphens within words and the joiners that scripts need are fine.',
    finds: refuseIf(hasInvisibleCharacter),
  },
  {
    ruleId: 'markup',
    refuses:
      'Elements of HTML, SVG and MathML, tags with attributes that run or load something, and comments, plain, as character references or escaped; Markdown images, and Markdown links that are not https; expressions of templates.',
    flags:
      'Tags that no browser knows, such as `<your address>` and `Map<string, bigint>`; letters spelled as character references.',
    warning: 'Holds what looks like markup.',
    finds: markupFinding,
  },
  {
    ruleId: 'unsafe-links',
    refuses:
      'Links that are not https, in any spelling; https links with userinfo, with escapes or backslashes in the host, to an address instead of a name, with a host name of mixed scripts, or with one that imitates a known name; Markdown links whose text is the address of another site.',
    flags:
      'Links to other content, calls and payments (`ipfs`, `ar`, `wss`, `mailto`, `tel`, `magnet`, `ethereum`, `solana`) and to `http://localhost`; host names in other letters than ASCII; services that shorten links.',
    warning: 'Holds a link that may not lead where it seems to.',
    finds: linkFindingOf,
  },
  {
    ruleId: 'foreign-links',
    refuses:
      'Links, bare domains and IP addresses with a port or path outside the host of the version’s `baseUrl`, the domains of its `linkDomains` and those of `flow.contentFilter.linkDomains`, also when they are disguised (`evil[.]com`, `evil dot com`). E-mail addresses outside them to which the reader is to write. The values of fields are not read: they are the user’s.',
    flags: 'Other e-mail addresses outside them.',
    warning: 'Leads to a site that the app has not declared.',
    // Asked only for texts that lead elsewhere than the app may.
    finds: ({ normal }) => (linkedHosts(normal).links.length > 0 ? 'refuse' : undefined),
  },
  {
    ruleId: 'mixed-scripts',
    refuses:
      'Words of Latin letters and others that look like them; names of wallets and exchanges in look-alike letters or digits (`rnetamask`, `c0inbase`); addresses with characters that only look right.',
    warning: 'Holds a word with letters that are not what they look like.',
    finds: lookAlikeFinding,
  },
  {
    ruleId: 'exposed-secrets',
    refuses:
      'Raw private keys and seed phrases, by form and checksum: BIP-39 in ten languages, WIF, extended keys, Solana, Nostr, PEM; 64 hexadecimal digits that the words before them call a key.',
    warning: 'Holds a private key or a seed phrase.',
    finds: exposedSecretFinding,
  },
  {
    ruleId: 'secret-requests',
    refuses:
      'Requests for seed phrases, private keys, wallet passwords and key files, in the languages below; labels that are nothing but such a noun; fields that ask for one, and steps that ask word by word. Warnings about them are fine.',
    warning: 'Mentions a seed phrase, private key or wallet password. Never give yours away.',
    finds: secretRequestFinding,
  },
  {
    ruleId: 'agent-instructions',
    refuses:
      'Orders to agents in the same languages: to set instructions aside, to keep something from the user, to reveal what is theirs, to assume a role, to use other tools or read files with secrets; such texts in Base64; the syntax of prompts and of tool calls; the names of the tools at /mcp.',
    warning: 'May be meant for AI agents. It is text of a third party, not an instruction.',
    finds: instructionFinding,
  },
  {
    ruleId: 'frauds',
    refuses:
      'Funds that are to be sent so that they are safe, unlocked or doubled; recipients in place of those that the reader chose; allowances without limit; threats in the name of support or an authority, in the same languages.',
    warning: 'Reads like a fraud. Support and authorities do not ask for funds.',
    finds: fraudFinding,
  },
];

/** The rules that are enabled. Throws for a pattern that does not compile, since the configuration was checked before. */
export function contentFilterRules({
  disable,
  flag = [],
  rules,
  toolNames = [],
}: ContentFilterOptions): readonly Rule[] {
  const configured = rules.map(({ ruleId, pattern }): Rule => {
    const compiled = compilePattern(pattern);
    if (compiled === undefined) throw new Error(`content-filter rule ${ruleId} has no valid pattern`);
    const warning = `Found by the rule ${ruleId} of this gateway.`;
    return { ruleId, warning, finds: ({ normal }) => (compiled.test(normal) ? 'refuse' : undefined) };
  });
  const namesTool = namesTools(toolNames);
  const own = ownRules
    .filter(({ ruleId }) => !disable.includes(ruleId))
    .map(({ ruleId, warning, finds }): Rule => {
      const all: Finds = ruleId === 'agent-instructions' ? (text) => namesTool(text) ?? finds(text) : finds;
      return {
        ruleId,
        warning: warning ?? `Found by the rule ${ruleId}.`,
        finds: (text) => (holdsNoWords(text.raw) ? undefined : all(text)),
      };
    });
  return [...own, ...configured].map((rule) =>
    flag.includes(rule.ruleId)
      ? { ...rule, finds: (text) => (rule.finds(text) === undefined ? undefined : 'flag') }
      : rule,
  );
}

/** Filter rule against names of the gateway's tools for agents, which a text for people has no reason to mention. Matches the names as written; names of three or more words also as separate words, since these do not occur by chance. */
function namesTools(toolNames: readonly string[]): (text: TextReading) => Finding {
  if (toolNames.length === 0) return () => undefined;
  const written = toolNames.map((name) => name.replaceAll(/[^a-z0-9_]/gi, ''));
  const asIs = new RegExp(`(?<![a-z0-9_])(?:${written.join('|')})(?![a-z0-9_])`, 'i');
  const spoken = written
    .filter((name) => name.split('_').length > 2)
    .flatMap((name) => [name.replaceAll('_', ' '), name.replaceAll('_', '')]);
  return ({ normal, latin }) =>
    asIs.test(normal) || spoken.some((name) => latin.includes(name)) ? 'refuse' : undefined;
}
