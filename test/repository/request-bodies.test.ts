/**
 * The checks accept exactly the request bodies that the OpenAPI document describes, including its examples, for every
 * request body (docs/decisions/0056).
 */

import { expect, test } from 'bun:test';
import { ok } from '@flowgate/base/result';
import type { BodySchema } from '@flowgate/body-schema/body-schema';
import { checkedBody } from '@flowgate/body-schema/checked-body';
import { isManifestName } from '@flowgate/flow-format/manifest/app-id';
import { appInput, parseAppInput } from '@flowgate/flow-format/manifest/app-input';
import { parseVersionInput, versionInput } from '@flowgate/flow-format/manifest/version-input';
import { createUrlVetting } from '@flowgate/http1/safe-fetch/url-vetting';
import fc from 'fast-check';
import { exampleAddress } from '../../apps/gateway/src/api/evm-address-member.ts';
import { createComponents } from '../../apps/gateway/src/api/json-schema.ts';
import { bridgeTransferInput } from '../../apps/gateway/src/bridge/prepared/bridge-transfer-input.ts';
import { withdrawalStepInput } from '../../apps/gateway/src/bridge/withdrawals/withdrawal-wire.ts';
import { parseSubscriptionInput, subscriptionInput } from '../../apps/gateway/src/flow/events/subscription-input.ts';
import {
  parseStartRequest,
  parseSubmission,
  sessionInput,
  stepSubmission,
} from '../../apps/gateway/src/flow/sessions/session-requests.ts';
import { apiKeyInput, parseMintRequest } from '../../apps/gateway/src/identity/keys/mint-request.ts';
import { stakeTransactionInput } from '../../apps/gateway/src/resources/stakes/stake-wire.ts';
import { schemaCheck } from '../../apps/gateway/test/fixtures/schema-problems.ts';

type Parsed = { readonly ok: boolean; readonly detail?: string };

/** Routes that check the body by its schema alone. */
function checkedBySchema(body: BodySchema, further: object): readonly [BodySchema, (body: unknown) => Parsed, object] {
  return [body, (value) => checkedBody(body.schema(), value), further];
}

/** Every route with a body needs a line here. */
const requests: readonly (readonly [BodySchema, (body: unknown) => Parsed, further: object])[] = [
  [apiKeyInput, (body) => parseMintRequest(body, 0), { scopes: ['rpc'], expiresAt: '2030-01-31T12:00:00Z' }],
  [appInput, parseAppInput, { description: 'Pays.' }],
  [versionInput, parseVersionInput, { signingSecret: `whsec_${'A'.repeat(32)}` }],
  [sessionInput, parseStartRequest, { version: '1.0.0', startStepId: 'a', launchContext: { a: 1 } }],
  [stepSubmission, (body) => parseSubmission('a', body), {}],
  [subscriptionInput, parseSubscription, { secret: 'x'.repeat(16) }],
  checkedBySchema(stakeTransactionInput, {}),
  checkedBySchema(withdrawalStepInput, {}),
  checkedBySchema(bridgeTransferInput, { to: exampleAddress }),
];

const vetUrl = createUrlVetting([]);

/** `subscribe` asks the registry which types exist; all types have the form of a name in a manifest. */
function parseSubscription(body: unknown): Parsed {
  const parsed = parseSubscriptionInput(body, (text) => {
    const vetted = vetUrl(text);
    return vetted.ok ? ok(vetted.value.url) : vetted;
  });
  return parsed.ok ? { ok: isManifestName(parsed.value.eventType) } : parsed;
}

const components = createComponents();
for (const [body] of requests) components.ref(body, 'input');
const check = schemaCheck({ components: { schemas: components.schemas } }, 'lenient');

/** Values at a bound, or of a type that most members do not have. */
const values = fc.oneof(
  fc.constantFrom(null, true, 0, 1, 1.5, -1, 2 ** 53 - 1, '', [], {}, [[]], [{}], ['rpc'], Array(11).fill('rpc')),
  fc.constantFrom(
    ...[1, 15, 16, 64, 65, 100, 101, 128, 129, 256, 257, 2_000, 2_001].map((length) => 'x'.repeat(length)),
  ),
  fc.constantFrom(
    '🔑'.repeat(100),
    '🔑'.repeat(16),
    'a\nb',
    '\u0085',
    'a\ud800',
    'a b',
    '.a',
    'é',
    'acme/pay',
    '1.0.0-rc.1',
  ),
  fc.constantFrom('2030-01-31T12:00Z', '2030-01-31', 'whsec_AA', 'https://a.example/?', '/a/~1', '/~2', 'public'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

/** `value` with one of its members replaced or removed, at any depth. */
function changed(value: unknown, depth = 0): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null || depth > 4) return values;
  const entries = Object.entries(value);
  const parts = entries.map(([name, part]) =>
    changed(part, depth + 1).map((other) =>
      Array.isArray(value) ? Object.values({ ...value, [name]: other }) : { ...value, [name]: other },
    ),
  );
  const without = entries.map(([name]) => fc.constant(Object.fromEntries(entries.filter(([each]) => each !== name))));
  return fc.oneof(
    ...(depth === 0 ? [] : [values]),
    ...parts,
    ...(Array.isArray(value) ? [] : without),
    fc.constant(value),
  );
}

test.each(requests.map(([body, parse, further]) => [body.name, body, parse, further] as const))(
  'every body that is accepted as %s satisfies its schema in the document, and each example is accepted',
  (_, body, parse, further) => {
    const schema = components.describe(body, 'input');
    const examples = schema.examples ?? [];
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect([parse(example).detail, check(example, schema)]).toEqual([undefined, []]);
    const full = Object.assign({}, ...examples, further);
    expect([parse(full).detail, check(full, schema)]).toEqual([undefined, []]);
    let taken = 0;
    fc.assert(
      fc.property(changed(full), (value) => {
        if (!parse(value).ok) return;
        taken += 1;
        expect(check(value, schema)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
    expect(taken).toBeGreaterThan(20);
  },
);
