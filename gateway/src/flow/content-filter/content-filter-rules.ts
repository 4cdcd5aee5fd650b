/** The rules of the content filter: the gateway's own, and those of the configuration (decisions 8, the filter; issue 4, point 6). */

import { RE2JS } from 're2js';
import { secretEchoRule } from '../answers/secret-echo.ts';
import { holdsNoWords, type TextReading } from './content-filter-text.ts';
import { instructsAgents } from './filter-agent-instructions.ts';
import { hasBidirectionalControl, hasControlCharacter, hasInvisibleCharacter } from './filter-characters.ts';
import { hasUnsafeLink } from './filter-links.ts';
import { hasMarkup } from './filter-markup.ts';
import { asksForSecret } from './filter-secret-requests.ts';

export type Finds = (text: TextReading) => boolean;

/** `refuses` is for docs/content-filter.md. */
type OwnRule = { readonly ruleId: string; readonly refuses: string; readonly finds: Finds };

/** In this order: the first that finds something is named. */
export const ownRules: readonly OwnRule[] = [
  {
    ruleId: 'control-characters',
    refuses: 'Control characters, line and paragraph separators; newline, tab and CRLF are fine.',
    finds: hasControlCharacter,
  },
  {
    ruleId: 'bidirectional-characters',
    refuses:
      'Embeddings, overrides and isolates of the bidirectional algorithm; direction marks where nothing is written from right to left.',
    finds: hasBidirectionalControl,
  },
  {
    ruleId: 'invisible-characters',
    refuses:
      'Characters that show nothing: zero-width ones, soft hyphens, tags, fillers, stray variation selectors, byte order marks, half surrogate pairs. Joined emoji and the joiners that scripts need are fine.',
    finds: hasInvisibleCharacter,
  },
  {
    ruleId: 'markup',
    refuses:
      'HTML and XML tags and comments, plain, as character references or escaped; Markdown images, and Markdown links that are not https.',
    finds: hasMarkup,
  },
  {
    ruleId: 'unsafe-links',
    refuses:
      'Links that are not https, in whatever spelling; https links with userinfo, with escapes or backslashes in the host, or with a host name of mixed scripts.',
    finds: hasUnsafeLink,
  },
  {
    ruleId: 'secret-requests',
    refuses:
      'Requests for seed phrases, private keys, wallet passwords and key files, in 18 languages; labels that are nothing but such a noun. Warnings about them are fine.',
    finds: asksForSecret,
  },
  {
    ruleId: 'agent-instructions',
    refuses:
      'Instructions aimed at agents, assumed roles, the syntax of prompts and of tool calls, the names of the tools at /mcp.',
    finds: instructsAgents,
  },
];

/** As the configuration has them, under `flow.contentFilter`. */
export type ContentFilterSettings = {
  readonly disable: readonly string[];
  /** Patterns are RE2, matched anywhere in a text after NFKC, letters of either case. */
  readonly rules: readonly { readonly ruleId: string; readonly pattern: string }[];
};

export type SettingProblem = { readonly path: readonly (string | number)[]; readonly message: string };

/** Everything that is wrong with settings of the right shape; an empty text stands for what is not. */
export function contentFilterProblems({ disable, rules }: ContentFilterSettings): readonly SettingProblem[] {
  const own = ownRules.map(({ ruleId }) => ruleId);
  const taken = new Set([...own, secretEchoRule]);
  return [
    ...disable.flatMap((ruleId, nth) =>
      own.includes(ruleId) || ruleId === ''
        ? []
        : [{ path: ['disable', nth], message: `must be one of ${own.join(', ')}` }],
    ),
    ...rules.flatMap(({ ruleId, pattern }, nth) => {
      const problems: SettingProblem[] = [];
      if (taken.has(ruleId))
        problems.push({ path: ['rules', nth, 'ruleId'], message: `there is already a rule ${ruleId}` });
      if (ruleId !== '') taken.add(ruleId);
      if (compile(pattern) === undefined)
        problems.push({
          path: ['rules', nth, 'pattern'],
          message: 'must be an RE2 pattern; look-around and back references are not',
        });
      return problems;
    }),
  ];
}

/** Those that apply. Throws for a pattern that does not compile: the configuration was checked. */
export function contentFilterRules({ disable, rules }: ContentFilterSettings): readonly Omit<OwnRule, 'refuses'>[] {
  const configured = rules.map(({ ruleId, pattern }) => {
    const compiled = compile(pattern);
    if (compiled === undefined) throw new Error(`content-filter rule ${ruleId} has no valid pattern`);
    return { ruleId, finds: ({ normal }: TextReading) => compiled.test(normal) };
  });
  const own = ownRules
    .filter(({ ruleId }) => !disable.includes(ruleId))
    .map(({ ruleId, finds }) => ({ ruleId, finds: (text: TextReading) => !holdsNoWords(text.raw) && finds(text) }));
  return [...own, ...configured];
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
}
