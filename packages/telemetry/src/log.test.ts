import { expect, test } from 'bun:test';
import { createManualClock } from '@flowgate/testing/manual-clock';
import { createLog, type LogLevel } from './log.ts';
import { createRedactor } from './redaction/redactor.ts';

function logTo(lines: string[], level: LogLevel = 'info', secrets: string[] = [], own?: { readonly worker: number }) {
  return createLog({
    level,
    own,
    clock: createManualClock(Date.UTC(2026, 10, 21)),
    redact: createRedactor(secrets),
    write: (text) => lines.push(...text.trimEnd().split('\n')),
  });
}

test('a line is one JSON object with time, level and event', () => {
  const lines: string[] = [];
  const log = logTo(lines);
  log.info('key.minted', { keyId: 'k', skipped: undefined, note: 'a\nb' });
  log.flush();
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { time: '2026-11-21T00:00:00.000Z', level: 'info', event: 'key.minted', keyId: 'k', note: 'a\nb' },
  ]);
});

test('events below the level are not written; an error does not wait for the batch', () => {
  const lines: string[] = [];
  const log = logTo(lines, 'warn');
  log.info('quiet');
  log.warn('buffered');
  expect(lines).toHaveLength(0);
  log.error('loud');
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['buffered', 'loud']);
});

test('secrets are masked in the fields of a line, and never in its time, level, event and names of fields', () => {
  const lines: string[] = [];
  const log = createLog({
    level: 'info',
    clock: createManualClock(Date.UTC(2026, 10, 21)),
    redact: createRedactor(['request', 'info', '2026-11-21', 'path', '20261121'], 'all'),
    write: (text) => lines.push(text),
  });
  log.info('request', { path: 'a request at path', number: 20261121, flag: true });
  log.info('request', { path: undefined });
  log.flush();
  expect(lines.join('')).toBe(
    '{"time":"2026-11-21T00:00:00.000Z","level":"info","event":"request","path":"a *** at ***","number":"***","flag":true}\n' +
      '{"time":"2026-11-21T00:00:00.000Z","level":"info","event":"request"}\n',
  );
});

test('a flood is counted and not buffered', () => {
  const lines: string[] = [];
  const log = logTo(lines);
  for (let at = 0; at < 10_050; at++) log.info('flood');
  log.flush();
  expect(lines).toHaveLength(10_001);
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ event: 'log.dropped', lines: 50 });
});

test('one of several processes names itself in every line', () => {
  const lines: string[] = [];
  const log = logTo(lines, 'info', [], { worker: 3 });
  log.info('plain');
  log.info('with', { path: '/a' });
  log.flush();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'plain', worker: 3 },
    { event: 'with', worker: 3, path: '/a' },
  ]);
});

const key = `fk_0123456789abcdef.${'s'.repeat(49)}`;
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

test.each([
  [`at /rpc/${key} now`, 'at /rpc/fk_0123456789abcdef.*** now'],
  ['already fk_0123456789abcdef.***', 'already fk_0123456789abcdef.***'],
  [`Bearer ${jwt}`, 'Bearer [token]'],
  ['https://user:hunter2@node.example.com/x', 'https://***@node.example.com/x'],
  ['the pepper is pepper-0123456789', 'the pepper is ***'],
  ['GET /v3/0123456789abcdef0123456789abcdef', 'GET ***'],
  ['nothing to hide', 'nothing to hide'],
])('%p is written as %p (contract/conventions#secrets)', (text, expected) => {
  expect(createRedactor(['pepper-0123456789', '/v3/0123456789abcdef0123456789abcdef', 'short'])(text)).toBe(expected);
});
