/** The operator's settings of the content filter, and their validation. Separate from the rules, because loading the rules' word lists takes long. */

import { RE2JS } from 're2js';

/** The gateway's built-in rules. */
export const ownRuleIds = [
  'control-characters',
  'bidirectional-characters',
  'invisible-characters',
  'markup',
  'unsafe-links',
  'foreign-links',
  'mixed-scripts',
  'exposed-secrets',
  'secret-requests',
  'agent-instructions',
  'frauds',
] as const;

/** The rule of a refusal because a response contains a submitted secret. It cannot be disabled. */
export const secretEchoRule = 'secret-echo';

/** The rule of a refusal by the operator's classifier. */
export const classifierRule = 'classifier';

/** The settings under `flow.contentFilter` of the configuration, without those of the classifier. */
export type ContentFilterSettings = {
  readonly disable: readonly string[];
  /** Ids of rules, built-in or configured, that flag instead of refuse. None by default. */
  readonly flag?: readonly string[];
  /** Patterns are RE2. They match anywhere in a text after NFKC, case-insensitively. */
  readonly rules: readonly { readonly ruleId: string; readonly pattern: string }[];
  /** Domains to which the texts of every app may link, such as those of explorers. None by default. */
  readonly linkDomains?: readonly string[];
};

export type ContentFilterOptions = ContentFilterSettings & {
  /** Names of the tools at /mcp, which no text may mention. None by default. */
  readonly toolNames?: readonly string[];
};

export type SettingProblem = { readonly path: readonly (string | number)[]; readonly message: string };

/** The problems of settings of the right types. An empty string means a value whose problem is already reported. */
export function contentFilterProblems({ disable, flag = [], rules }: ContentFilterSettings): readonly SettingProblem[] {
  const own: readonly string[] = ownRuleIds;
  const all = [...own, ...rules.map(({ ruleId }) => ruleId)];
  const taken = new Set([...own, secretEchoRule, classifierRule]);
  return [
    ...disable.flatMap((ruleId, nth) =>
      own.includes(ruleId) || ruleId === ''
        ? []
        : [{ path: ['disable', nth], message: `must be one of ${own.join(', ')}` }],
    ),
    ...flag.flatMap((ruleId, nth) =>
      all.includes(ruleId) || ruleId === ''
        ? []
        : [{ path: ['flag', nth], message: `must be a rule of this file or one of ${own.join(', ')}` }],
    ),
    ...rules.flatMap(({ ruleId, pattern }, nth) => {
      const problems: SettingProblem[] = [];
      if (taken.has(ruleId))
        problems.push({ path: ['rules', nth, 'ruleId'], message: `there is already a rule ${ruleId}` });
      if (ruleId !== '') taken.add(ruleId);
      const compiled = compilePattern(pattern);
      if (compiled === undefined)
        problems.push({
          path: ['rules', nth, 'pattern'],
          message: 'must be an RE2 pattern, without look-around and back references',
        });
      else if (pattern !== '' && compiled.test(''))
        problems.push({ path: ['rules', nth, 'pattern'], message: 'must not match every text' });
      return problems;
    }),
  ];
}

export function compilePattern(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE);
  } catch {
    return undefined;
  }
}
