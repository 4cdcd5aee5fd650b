import { expect, test } from 'bun:test';
import { parseVersionInput } from './version-input.ts';

const valid = { version: '1.0.0', baseUrl: 'https://pay.acme.example/flow', steps: [{ stepId: 'a' }, { stepId: 'b' }] };
const detailOf = (more: object) => {
  const parsed = parseVersionInput({ ...valid, ...more });
  return parsed.ok ? 'accepted' : parsed.detail;
};
const secretOf = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;

test('version, baseUrl and steps suffice; a session starts at the first step (contract/flow-apps#registry)', () => {
  const expected = {
    version: '1.0.0',
    manifest: {
      baseUrl: 'https://pay.acme.example/flow',
      startSteps: ['a'],
      stepIds: ['a', 'b'],
      queries: [],
      eventTypes: [],
      linkDomains: [],
    },
  };
  expect(parseVersionInput(valid)).toEqual({ ok: true, value: expected });
  const nulls = { signingSecret: null, startSteps: null, queries: null, events: null, status: 'retired' };
  expect(parseVersionInput({ ...valid, ...nulls })).toEqual({ ok: true, value: expected });
});

test('declarations are stored in order, without unknown members', () => {
  const parsed = parseVersionInput({
    ...valid,
    signingSecret: secretOf(24),
    startSteps: ['b', 'a'],
    queries: [{ queryId: 'all', path: '', more: 1 }],
    events: [{ type: 'paid', more: 1 }],
  });
  expect(parsed).toMatchObject({
    ok: true,
    value: {
      signingSecret: secretOf(24),
      manifest: { startSteps: ['b', 'a'], queries: [{ queryId: 'all', path: '' }], eventTypes: ['paid'] },
    },
  });
});

test('a version is strict semver (contract/flow-apps#registry)', () => {
  for (const version of ['0.0.0', '1.2.3-rc.1', '1.2.3+build.007', '1.2.3-a-b.0+x', '10.20.30'])
    expect([version, detailOf({ version })]).toEqual([version, 'accepted']);
  for (const version of [
    '1',
    '1.2',
    'v1.2.3',
    '=1.2.3',
    ' 1.2.3',
    '1.2.3 ',
    '01.2.3',
    '1.2.3-01',
    '1.2.3-',
    '1.2.3+',
    '^1.2.3',
    'latest',
    '',
    `1.2.3-${'a'.repeat(130)}`,
  ])
    expect([version, detailOf({ version })]).toEqual([version, expect.stringMatching(/^version must be a semantic/)]);
  expect(detailOf({ version: 1 })).toBe('version must be a string');
  expect(detailOf({ version: undefined })).toBe('version is required');
});

test('a baseUrl is http(s) without user, query or fragment, and is stored without a trailing slash (contract/flow-apps#registry)', () => {
  const stored = (baseUrl: string) => {
    const parsed = parseVersionInput({ ...valid, baseUrl });
    return parsed.ok ? parsed.value.manifest.baseUrl : parsed.detail;
  };
  expect(stored('https://a.example')).toBe('https://a.example');
  expect(stored('https://a.example/')).toBe('https://a.example');
  expect(stored('https://a.example/x//')).toBe('https://a.example/x');
  expect(stored('http://127.0.0.1:8080/x/')).toBe('http://127.0.0.1:8080/x');
  expect(stored('HTTPS://A.example:443/X')).toBe('https://a.example/X');
  for (const baseUrl of [
    'embedded:',
    'embedded:x',
    'ftp://a.example',
    'a.example',
    '//a.example',
    'https:/a.example',
    'https:a.example',
    'https://',
    'https://u@a.example',
    'https://u:p@a.example',
    'https://@a.example',
    'https://a.example?x=1',
    'https://a.example/?',
    'https://a.example/#',
    'https://a.example/ x',
    'https://a.exa\tmple',
    ' https://a.example',
    'https://a.example\\@b.example',
    `https://a.example/${'x'.repeat(2_048)}`,
    '',
  ])
    expect([baseUrl, stored(baseUrl)]).toEqual([baseUrl, expect.stringMatching(/^baseUrl must be an http/)]);
});

test('a signing secret is whsec_ and base64 of 24 to 64 bytes (contract/flow-apps#registry)', () => {
  for (const bytes of [24, 25, 26, 32, 64]) expect(detailOf({ signingSecret: secretOf(bytes) })).toBe('accepted');
  for (const signingSecret of [
    secretOf(23),
    secretOf(65),
    secretOf(24).slice(6),
    `${secretOf(24)}=`,
    `${secretOf(25)}!`,
    'whsec_',
    '',
  ])
    expect(detailOf({ signingSecret })).toBe('signingSecret must be whsec_ followed by base64 of 24 to 64 bytes');
  // Base64 with unused bits that are not zero: decoders may disagree on the secret.
  expect(detailOf({ signingSecret: secretOf(25).replace(/.==$/, 'x==') })).toStartWith('signingSecret must be');
});

test('a wrong member does not hide problems between members (contract/conventions#members)', () => {
  const startSteps = ['absent'];
  const queries = [{ queryId: 'last', path: `x/${'y'.repeat(600)}` }];
  expect(detailOf({ startSteps, signingSecret: 'short', queries, baseUrl: 'ftp://a' })?.split('; ')).toEqual([
    expect.stringMatching(/^baseUrl must be/),
    'signingSecret must be whsec_ followed by base64 of 24 to 64 bytes',
    'queries[0].path must be a JSON pointer (RFC 6901) of at most 512 characters',
    'startSteps[0] must be one of steps',
  ]);
});

test('steps, start steps, queries and events are validated, each problem with its place (contract/flow-apps#registry)', () => {
  const refusals: readonly (readonly [object, string])[] = [
    [{ steps: undefined }, 'steps is required'],
    [{ steps: 'a' }, 'steps must be an array'],
    [{ steps: [] }, 'steps must have 1 to 200 entries'],
    [{ steps: Array.from({ length: 201 }, (_, at) => ({ stepId: `s${at}` })) }, 'steps must have 1 to 200 entries'],
    [{ steps: Array(1_000_000).fill(0) }, 'steps must have 1 to 200 entries'],
    [{ steps: null }, 'steps is required'],
    [{ steps: ['a'] }, 'steps[0] must be an object'],
    [{ steps: [{ stepId: 'a' }, {}] }, 'steps[1].stepId is required'],
    [{ steps: [{ stepId: 'a' }, { stepId: 'a' }] }, 'steps[1].stepId is there twice'],
    [{ startSteps: [] }, 'startSteps must have 1 to 200 entries'],
    [{ startSteps: ['a', 'c'] }, 'startSteps[1] must be one of steps'],
    [{ startSteps: ['a', 'a'] }, 'startSteps[1] is there twice'],
    [{ startSteps: [1] }, 'startSteps[0] must be a string'],
    [{ queries: {} }, 'queries must be an array'],
    [{ queries: [{ queryId: 'q' }] }, 'queries[0].path is required'],
    [
      { queries: [{ queryId: 'q', path: 'a' }] },
      'queries[0].path must be a JSON pointer (RFC 6901) of at most 512 characters',
    ],
    [
      { queries: [{ queryId: 'q', path: '/a~2' }] },
      'queries[0].path must be a JSON pointer (RFC 6901) of at most 512 characters',
    ],
    [
      {
        queries: [
          { queryId: 'q', path: '/a' },
          { queryId: 'q', path: '/b' },
        ],
      },
      'queries[1].queryId is there twice',
    ],
    [{ events: [{ type: 'paid' }, { type: 'paid' }] }, 'events[1].type is there twice'],
    [{ events: [{ type: 'session_created' }] }, "events[0].type must not be one of the platform's own types"],
    [{ events: [null] }, 'events[0] is required'],
  ];
  for (const [more, detail] of refusals) expect([more, detailOf(more)]).toEqual([more, detail]);
  for (const type of ['*', '', 'a b', '_a', 'a/b', 'x'.repeat(65)])
    expect(detailOf({ events: [{ type }] })).toStartWith('events[0].type must be 1 to 64');
  for (const path of ['', '/', '/a/0/~0~1', '/ü', '//'])
    expect(detailOf({ queries: [{ queryId: 'q', path }] })).toBe('accepted');
});
