/** docs/reference/log-events.md is generated from the log calls of the code and from the meanings of the events. */

import { expect, test } from 'bun:test';
import { expectPage, referencePage, table } from './doc-pages.ts';
import { logEventMeanings } from './log-event-meanings.ts';
import { logEvents } from './log-events.ts';
import { packageFiles, sourceFiles } from './source-files.ts';

const code = (text: string) => `\`${text}\``;

test('the page lists every log event of the code with level, fields and meaning', async () => {
  const events = logEvents([...(await sourceFiles()), ...(await packageFiles())]);
  expect(events.map(({ event }) => event)).toEqual(Object.keys(logEventMeanings).sort());
  const rows = events.map(({ event, level, fields }) => [
    ...[code(event), level, fields.map(code).join(', '), logEventMeanings[event] ?? ''],
  ]);
  await expectPage(
    'reference/log-events.md',
    referencePage(
      'Log events',
      'The log is one JSON object per line on standard output: `time`, `level`, `event`, with several workers `worker`, and the fields of the event. No line contains a key, a token or the URL of a node. [Incidents](../operate/incidents.md) says which events need action.',
      table(['Event', 'Level', 'Fields', 'Meaning'], rows),
    ),
  );
});

test('fields are read through spreads, conditions, constants and functions, and event names through parameters', () => {
  const text = [
    "log.warn('a.failed', { ...names(one), reason, ...(two ? { code } : {}) });",
    "log?.info('a.done');",
    'const report = (event: string) => log.error(event, facts);',
    "report('a.lost');",
    'const facts = { keyId };',
    'function names(one: One) { return { dlt: one.dlt }; }',
  ].join('\n');
  const file = { path: 'a.ts', module: '', text, lines: 6, head: undefined, imports: [], packages: [] };
  expect(logEvents([file])).toEqual([
    { event: 'a.done', level: 'info', fields: [] },
    { event: 'a.failed', level: 'warn', fields: ['dlt', 'reason', 'code'] },
    { event: 'a.lost', level: 'error', fields: ['keyId'] },
  ]);
  expect(() => logEvents([{ ...file, text: "log.warn('a.failed', unknownFields());" }])).toThrow('are unknown');
});
