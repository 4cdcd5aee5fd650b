/** Filter rule against names of the gateway's tools for agents, which a text for people has no reason to mention. */

import type { TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';

/** Matches the names as written; names of three or more words also as separate words, since these do not occur by chance. */
export function namesTools(toolNames: readonly string[]): (text: TextReading) => Finding {
  if (toolNames.length === 0) return () => undefined;
  const written = toolNames.map((name) => name.replaceAll(/[^a-z0-9_]/gi, ''));
  const asIs = new RegExp(`(?<![a-z0-9_])(?:${written.join('|')})(?![a-z0-9_])`, 'i');
  const spoken = written
    .filter((name) => name.split('_').length > 2)
    .flatMap((name) => [name.replaceAll('_', ' '), name.replaceAll('_', '')]);
  return ({ normal, latin }) =>
    asIs.test(normal) || spoken.some((name) => latin.includes(name)) ? 'refuse' : undefined;
}
