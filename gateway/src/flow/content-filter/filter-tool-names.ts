/** Filter rule about the names of the gateway's tools for agents: a text for people has no reason to name one. */

import type { TextReading } from './content-filter-text.ts';
import type { Finding } from './finding.ts';

/** As they are written; of three words and more also as words, since nobody says those by chance. */
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
