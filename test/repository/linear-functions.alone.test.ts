/**
 * Functions that read untrusted text take time in proportion to its length, including their loops and splits.
 * linear-patterns.test.ts measures regular expressions alone.
 */

import { expect, test } from 'bun:test';
import { parseIsoTime } from '@flowgate/base/iso-time';
import { decodeCursor } from '@flowgate/base/page';
import { rangeOf } from '@flowgate/bytes/byte-range';
import { decodeRawTransaction } from '@flowgate/chain/transactions/raw-transaction';
import { createContentFilter } from '@flowgate/content-filter/content-filter';
import { compareDecimals } from '@flowgate/flow-format/fields/decimal';
import { parseVersionInput } from '@flowgate/flow-format/manifest/version-input';
import { retryAfterMs } from '@flowgate/http1/retry-after';
import { createAddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';
import { createUrlVetting } from '@flowgate/http1/safe-fetch/url-vetting';
import { maskTokens } from '@flowgate/telemetry/redaction/mask-tokens';
import { plainSpelling } from '@flowgate/telemetry/redaction/plain-spelling';
import { createRedactor } from '@flowgate/telemetry/redaction/redactor';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import { maskApiKeys } from '../../apps/gateway/src/api/credential.ts';
import { clientAddress } from '../../apps/gateway/src/edge/contexts/client-address.ts';
import { credentialInPath, rpcCredential } from '../../apps/gateway/src/edge/contexts/extracted-credential.ts';
import { maskedPath } from '../../apps/gateway/src/edge/contexts/masked-path.ts';
import { isJsonType } from '../../apps/gateway/src/edge/contexts/request-body.ts';
import { pathOf } from '../../apps/gateway/src/edge/contexts/request-path.ts';
import { createRouter } from '../../apps/gateway/src/edge/router.ts';
import { createMethodGlob } from '../../apps/gateway/src/firewall/method-glob.ts';
import { prefersStream } from '../../apps/gateway/src/flow/events/event-stream.ts';
import { parseIdempotencyKey } from '../../apps/gateway/src/flow/sessions/idempotency-key.ts';
import { parseToken } from '../../apps/gateway/src/identity/tokens/token-form.ts';
import { readContractCalls } from '../../apps/gateway/src/rpc/engine/contract-calls/read-contract-calls.ts';
import { shownError } from '../../apps/gateway/src/rpc/shown-error.ts';
import { nodeSecrets } from '../../apps/gateway/src/upstream/networks/node-secrets.ts';

const secrets = nodeSecrets({
  url: 'https://user:password-1@node.example/v2/aaaaaaaaaaaaaaaab?key=eyJeyJeyJeyJ0',
  headers: { Authorization: 'Bearer abababababababac' },
});
const redact = createRedactor(secrets, ['code', 'message', 'data']);
const router = createRouter<string>();
router.add('/flow/registry/apps/{appId/2}/versions/{version}', 'version');
const ranges = createAddressRanges(['10.0.0.0/8']);
const vet = createUrlVetting([]);
const filter = createContentFilter({ disable: [], rules: [], toolNames: ['rpc_call'] });
const isId = () => true;

/** Each function, with prefixes of the text that it searches for. */
const readers: Readonly<Record<string, readonly [read: (text: string) => unknown, pieces: readonly string[]]>> = {
  'a log line': [
    (text) => redact(JSON.stringify({ event: text, [text]: 1 })),
    ['eyJ-', 'fk_', 'https://a', '://@', 'a', 'ab', '"', '\\', '%25', '%', 'password-', 'eyJa.eyJ.', 'user:', '\u0001'],
  ],
  "a node's error": [
    (text) => shownError(rangeOf(`{"code":1,"message":"${text}"}`), redact),
    ['eyJ-', '\\\\', '\\"', '\\u0025', '%25', 'aaaaaaaaaaaaaaaa', 'x'],
  ],
  'a text without tokens': [
    (text) => maskTokens(text, '*'),
    ['eyJ', 'eyJ-', 'eyJ.', 'aeyJhbGciOiJF-', 'eyJhbGciOiJF.-'],
  ],
  'a spelling': [(text) => plainSpelling(text).text, ['\\', '%', '%2', '%25', '\\u', '\\u005', '\\u005c', 'İ']],
  'a path in a log line': [(text) => maskedPath(`/${text}`, true), ['eyJ-', 'fk_', '%66', '/']],
  'keys in a text': [maskApiKeys, ['fk_', 'fk%5', 'f', 'FK_.']],
  'the segments of a path': [
    (text) => router.find(pathOf(`http://h/${text}`)),
    ['/', 'flow/registry/apps/', '%2F', '?', '#', '{', 'a/'],
  ],
  'a credential': [
    (text) => [
      credentialInPath(text),
      rpcCredential({ header: (name) => (name === 'x-api-key' ? `a${text}a` : `bearer ${text}a`) }),
      rpcCredential({ header: (name) => (name === 'x-api-key' ? null : `bearer ${text}a`) }),
    ],
    ['fk_', ', ', ' ', ',', 'bearer '],
  ],
  'a token': [(text) => parseToken(text, new Set(['ES256'])), ['.', 'eyJ', '=']],
  'an address': [(text) => clientAddress('10.0.0.1', text, ranges), ['10.0.0.1,', ':', '[', ',', '::', '1.']],
  'a content type': [(text) => isJsonType(`application/${text}`), ['+', 'json', 'a+', ';', ' ']],
  'an Accept header': [(text) => prefersStream(text), [',', ';', 'q=', 'text/event-stream;', ' ', '0.']],
  'an idempotency key': [(text) => parseIdempotencyKey(text), [' ', ', ', '"']],
  'the contract calls in a message': [
    (text) => {
      const wrapped = [
        `[{"to":"0x","data":"0x${text}"}]`,
        `[{"blockStateCalls":[{"calls":[${text}{}]}]}]`,
        `[[{"transactions":[${text}{}]}]]`,
        `["0x${text}"]`,
      ];
      return ['eth_call', 'eth_simulateV1', 'eth_callMany', 'eth_sendRawTransaction'].map((method, at) =>
        readContractCalls(method, Buffer.from(wrapped[at] ?? ''), decodeRawTransaction),
      );
    },
    ['0', 'a9', '{},', '{"to":null},', '{"a":[', '[', '"a":1,', ' ', '\\\\', '\\"'],
  ],
  'a pattern of methods': [
    (text) => [createMethodGlob(`*${text}b*`).matches(text), createMethodGlob(text).matches('a'.repeat(text.length))],
    ['a', 'a*', '*a', 'ab*', '*'],
  ],
  'a time': [(text) => parseIsoTime(`2026-01-01T00:00:00.${text}`), ['0', ':', '-']],
  'a Retry-After header': [(text) => retryAfterMs(text, 0), ['0', ' ', 'Mon, ']],
  'a cursor': [(text) => decodeCursor(text, isId), ['.', 'MS4', '=']],
  'an amount': [(text) => compareDecimals(`0.${text}1`, `0.${text}2`), ['0', '10']],
  'a text of an app': [
    (text) => filter({ step: { description: text } }),
    [
      'enter your ',
      'seed phrase never ',
      'enteryourseedphrase',
      'ignore all previous ',
      'ai agent ',
      'do not tell the ',
      'a b c ',
      'сид фраза ',
      '助记词',
      '<a',
      '<aa b ',
      '&#60;',
      'a.a+',
      'https://',
      '[a](',
      'system: ',
      '\u2066a\u2069',
    ],
  ],
  'a URL': [(text) => vet(`https://${text}`), ['a.', '/', '@', '[', ':', '%']],
  'a version': [
    (text) =>
      parseVersionInput({ version: `1.0.0-${text}!`, baseUrl: `https://a/${text}!`, steps: [{ stepId: text }] }),
    ['/', '0.', 'a-', '+', '-'],
  ],
};

const shortest = 8_192;

/**
 * For 8 times the text, a linear function takes 8 times as long and a quadratic one 64 times. Times too short to
 * measure count as linear.
 */
function growsTooFast(read: (text: string) => unknown, piece: string): boolean {
  const [one, eight] = [1, 8].map((times) => piece.repeat((shortest * times) / piece.length));
  if (one === undefined || eight === undefined) throw new Error('two texts');
  return takesMoreThan(
    28,
    () => read(eight),
    () => read(one),
    2,
  );
}

for (const [what, [read, pieces]] of Object.entries(readers))
  test(`reading ${what} takes time in proportion to its length`, () => {
    expect(pieces.filter((piece) => growsTooFast(read, piece))).toEqual([]);
  });

test('the measurement detects a quadratic function', () => {
  const quadratic = (text: string) => {
    let count = 0;
    for (let from = 0; from < text.length; from++)
      for (let at = from; at < text.length; at += 64) count += text.charCodeAt(at);
    return count;
  };
  expect(growsTooFast(quadratic, 'a')).toBe(true);
});
