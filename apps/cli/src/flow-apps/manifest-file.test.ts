/** A manifest is checked without a gateway, and each problem is reported with its line. */

import { expect, test } from 'bun:test';
import { readManifest } from './manifest-file.ts';
import { maxManifestBytes } from './manifest-yaml.ts';

const good = `# A comment
appId: acme/guestbook
name: Guestbook
version: 1.0.0
baseUrl: https://guestbook.example.com/
steps:
  - sign
  - stepId: thanks
queries: [{ queryId: names, path: /names }]
events:
  - signed
`;

/** `line:path message` of each problem. */
function problemsOf(text: string, baseUrl?: string): readonly string[] {
  const read = readManifest(text, baseUrl);
  return read.ok ? [] : read.problems.map(({ line, path, message }) => `${line}:${path} ${message}`);
}

test('a manifest is converted to the registry’s form; short and long forms are equivalent', () => {
  const read = readManifest(good);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(read.manifest).toEqual({
    app: { appId: 'acme/guestbook', name: 'Guestbook', description: null, visibility: null },
    version: {
      ...{ version: '1.0.0', baseUrl: 'https://guestbook.example.com', startSteps: null },
      steps: [{ stepId: 'sign' }, { stepId: 'thanks' }],
      queries: [{ queryId: 'names', path: '/names' }],
      events: [{ type: 'signed' }],
    },
  });
  const elsewhere = readManifest(good, 'http://127.0.0.1:3000');
  expect(elsewhere).toMatchObject({ manifest: { version: { baseUrl: 'http://127.0.0.1:3000' } } });
});

test('each problem is reported at its line: invalid values, unknown names, missing and duplicate members', () => {
  const bad = good
    .replace('acme/guestbook', 'Acme Guestbook')
    .replace('1.0.0', 'v1.0.0')
    .replace('  - sign\n', '  - sign here\n')
    .replace('thanks', '7')
    .replace('path: /names', 'path: names')
    .replace('- signed', '- session_created')
    .replace('events:', 'icon: x.png\nevents:');
  expect(problemsOf(bad)).toEqual([
    '2:appId must be publisher/slug, each 1 to 64 lower-case letters, digits, dots or dashes that begins and ends with a letter or digit',
    '4:version must be a semantic version (semver.org) of at most 128 characters, such as 1.0.0',
    '7:steps[0].stepId must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first',
    '8:steps[1].stepId must be a string',
    '9:queries[0].path must be a JSON pointer (RFC 6901) of at most 512 characters',
    '10:icon is not a member of a manifest; there are appId, name, description, visibility, version, baseUrl, startSteps, steps, queries, events, linkDomains',
    "12:events[0].type must not be one of the platform's own types",
  ]);
  expect(problemsOf('name: X\n')).toContain('1:appId is required');
  expect(problemsOf(good.replace('stepId: thanks', 'stepId: sign'))).toEqual(['8:steps[1].stepId is there twice']);
  expect(problemsOf(`${good}startSteps: [nowhere]\n`)).toEqual(['12:startSteps[0] must be one of steps']);
});

test('a secret in the file is refused, and the message does not contain it', () => {
  const [problem = '', ...more] = problemsOf(`${good}signingSecret: whsec_hunter2\n`);
  expect(more).toEqual([]);
  expect(problem).toBe('12:signingSecret does not belong into a file that is shared: set SIGNING_SECRET instead');
});

test('invalid YAML, a file that is not a mapping, aliases, tags, duplicate keys and a second document are reported at their line', () => {
  expect(problemsOf(`${good}  - : [\n`)[0]).toMatch(/^1[2-4]: is no YAML: /);
  expect(problemsOf(`${good}name: Again\n`)).toEqual(['12:name is there twice']);
  expect(problemsOf('- a\n- b\n')).toEqual(['1: must be a mapping: appId, name, version, …']);
  expect(problemsOf('')).toEqual(['1: must be a mapping: appId, name, version, …']);
  expect(problemsOf(good.replace('name: Guestbook', 'name: &x Guestbook\ndescription: *x'))).toEqual([
    '4:description is an alias (*name), which a manifest does not take',
  ]);
  expect(problemsOf(good.replace('Guestbook', '!secret Guestbook'))[0]).toContain('3:name has a tag');
  expect(problemsOf(`${good}---\nappId: other/app\n`).length).toBeGreaterThan(0);
});

test('a maliciously expensive file is refused in time linear in its size', () => {
  const laughs = Array.from({ length: 9 }, (_, at) => `a${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]`)
    .join('\n')
    .replaceAll('*a-1', 'lol');
  expect(problemsOf(laughs).length).toBeGreaterThan(0);
  const half = maxManifestBytes / 4;
  for (const bomb of [
    '['.repeat(half),
    '{a: '.repeat(half / 4),
    `${'['.repeat(half)}${']'.repeat(half)}`,
    '- '.repeat(half),
    '? '.repeat(half),
    '"'.repeat(half),
    '&a '.repeat(half / 3),
  ]) {
    expect([bomb.slice(0, 4), problemsOf(bomb).length > 0]).toEqual([bomb.slice(0, 4), true]);
  }
});
