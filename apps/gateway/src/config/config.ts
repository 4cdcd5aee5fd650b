/**
 * The configuration's schema: name, form, default and one sentence of each key; a test compares `docs/reference/configuration.md` with it. Sections with many
 * keys have a file each, `*-keys.ts`.
 */

import { isHostOfUrl } from '@flowgate/http1/safe-fetch/url-vetting';
import { z } from 'zod';
import { bridgeKeys, indexerKeys, swapPoolKeys } from './bridge-keys.ts';
import { consoleKeys } from './console-keys.ts';
import { flowKeys } from './flow-keys.ts';
import { defaultProviders, networkKeys, providerKeys } from './network-keys.ts';
import { serverKeys } from './server-keys.ts';
import { storageKeys } from './storage-keys.ts';
import { flag, httpUrl, seconds, whole } from './value-forms.ts';

export const identity = z.strictObject({
  issuer: httpUrl
    .refine((text) => isBareUrl(text), 'must have no user, query or fragment')
    .describe("The OpenID provider's issuer URL, exactly as its tokens contain it."),
  audience: z.string().min(1).default('flowgate').describe('The `aud` claim that tokens must contain.'),
  rolesClaim: z.string().min(1).default('roles').describe('The claim that contains the roles, an array of strings.'),
  jwksUri: httpUrl.optional().describe("URL of the issuer's keys. Default: found by OpenID discovery."),
  algorithms: z
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']))
    .min(1)
    .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
    .describe('Signature algorithms that tokens may use.'),
  allowInsecureIssuer: flag.default(false).describe('Accept an issuer over plain HTTP that is not on loopback.'),
  commandLine: z
    .strictObject({
      clientId: z
        .string()
        .min(1)
        .default('flowgate-cli')
        .describe('Public client at the issuer that `flowgate login` uses.'),
      scope: z
        .string()
        .regex(/^[!-~]+( [!-~]+)*$/, 'must be names separated by one space')
        .default('openid offline_access')
        .describe('Scopes that `flowgate login` requests. With `offline_access` the sign-in renews itself.'),
      audience: z
        .string()
        .min(1)
        .optional()
        .describe('Value of `audience` in the sign-in request, for issuers such as Auth0 that require it.'),
    })
    .prefault({}),
});

export const keys = z.strictObject({
  peppers: z
    .array(z.string().refine((text) => text.trim() !== '', 'must not be blank'))
    .min(1)
    .describe(
      'Secrets for hashing API keys: the first hashes new keys, all verify. Use at least 32 random characters each.',
    ),
  cacheTtlSeconds: seconds(0, 60)
    .default(60)
    .describe('Time for which a gateway trusts a verified key without asking the database.'),
});

const limits = z
  .strictObject({
    userPerMinute: whole(1, 1_000_000_000)
      .default(300)
      .describe('Requests that one user may make in any 60 seconds. Each element of a batch counts.'),
    sessionPerMinute: whole(1, 1_000_000_000)
      .default(60)
      .describe('Requests that one user may make to one Flow session in any 60 seconds.'),
    invalidPerMinute: whole(1, 1_000_000_000)
      .default(300)
      .describe('Invalid credentials that one address may send in any 60 seconds before it receives 429.'),
    maxBatch: whole(1, 10_000).default(100).describe('Elements of a JSON-RPC batch.'),
    maxBodyBytes: whole(1024, 268_435_456).default(5_242_880).describe('Size of a request body.'),
    webSocketsPerUser: whole(1, 1_000_000)
      .default(20)
      .describe('Open WebSocket connections of one user per gateway process; further ones receive 429.'),
    nodesPerUser: whole(1, 1_000_000).default(20).describe('Nodes that one user may register.'),
    maxAnswerBytesInFlight: whole(1_048_576, 68_719_476_736)
      .default(268_435_456)
      .describe(
        "Total size of large responses (over 64 KiB) in flight, from the node's first byte to the caller's last; at least two responses of `outbound.maxResponseBytes`. One user may use a quarter of it, and at least one such response. Further ones receive 503.",
      ),
    maxBodyBytesInFlight: whole(1_048_576, 68_719_476_736)
      .default(268_435_456)
      .describe(
        'Total size of buffered request bodies (over 16 KiB, and chunked ones), from arrival until they are answered. One user may use a quarter of it. Further ones receive 503.',
      ),
  })
  .prefault({});

const outbound = z
  .strictObject({
    allowPrivateHosts: z
      .array(
        z.string().refine(isHostOfUrl, 'must be a host, or host:port, as written in a URL: no scheme, path or range'),
      )
      .default([])
      .describe('Private or plain-HTTP hosts that users may nevertheless name, as `host` or `host:port`.'),
    nodeTimeoutSeconds: seconds(0.1, 200)
      .default(30)
      .describe(
        'Time within which a call must be answered, all attempts included. While another healthy node remains, one attempt has a third of it.',
      ),
    maxResponseBytes: whole(1024, 1_073_741_824).default(67_108_864).describe("Size of a node's response."),
    maxConnectionsPerNode: whole(1, 65_535)
      .default(256)
      .describe(
        'Connections to one node per gateway process; further calls wait. One user may use three quarters of them.',
      ),
  })
  .prefault({});

const health = z
  .strictObject({
    intervalSeconds: seconds(1, 3_600)
      .default(15)
      .describe('Interval of the health checks of a healthy node: whether it answers, and for the right chain.'),
  })
  .prefault({});

const usage = z
  .strictObject({
    writeSeconds: seconds(0.1, 60)
      .default(10)
      .describe(
        'Interval at which usage is written. A killed gateway loses at most this much usage, and reports are this late.',
      ),
  })
  .prefault({});

const log = z
  .strictObject({
    level: z.enum(['debug', 'info', 'warn', 'error']).default('info').describe('Lowest level that is written.'),
    requests: z
      .enum(['all', 'failures', 'none'])
      .default('failures')
      .describe('Requests that are logged: `all`, `failures` (status 500 and above) or `none`.'),
  })
  .prefault({});

const rootForm = 'must be keys with their values (key: value)';

export const configSchema = z.strictObject(
  {
    server: serverKeys,
    identity,
    storage: storageKeys,
    keys,
    limits,
    outbound,
    health,
    flow: flowKeys.prefault({}),
    log,
    networks: z.array(networkKeys).default([]).describe('Networks to which the gateway forwards calls.'),
    providers: z
      .array(providerKeys)
      .default(defaultProviders)
      .describe('Approved node providers, for nodes that users register.'),
    bridges: z
      .array(bridgeKeys)
      .max(10)
      .default([])
      .describe('OP Stack bridges between two of the networks, whose deposits and withdrawals the gateway tracks.'),
    swaps: z.array(swapPoolKeys).max(100).default([]).describe('Pools whose swaps appear in the history.'),
    indexer: indexerKeys,
    console: consoleKeys,
    usage,
  },
  rootForm,
);

export type Config = z.output<typeof configSchema>;
/** A problem that the schema finds. */
export type ConfigIssue = z.core.$ZodIssue;

function isBareUrl(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '' && url.search === '' && url.hash === '');
}
