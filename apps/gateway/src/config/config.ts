/**
 * The configuration's schema: each key's name, form, default and one sentence; `docs/configuration.md` is held against it by a test. Sections with many keys
 * have a file each, `*-keys.ts`.
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
    .describe("The OpenID provider's issuer, exactly as its tokens name it."),
  audience: z.string().min(1).default('flowgate').describe('The `aud` that tokens must hold.'),
  rolesClaim: z.string().min(1).default('roles').describe('The claim that holds the roles, an array of strings.'),
  jwksUri: httpUrl.optional().describe("Where the issuer's keys are; by default found by OpenID discovery."),
  algorithms: z
    .array(z.enum(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']))
    .min(1)
    .default(['RS256', 'PS256', 'ES256', 'EdDSA'])
    .describe('Signature algorithms accepted in tokens.'),
  allowInsecureIssuer: flag.default(false).describe('Accept an issuer over plain http that is not on loopback.'),
  commandLine: z
    .strictObject({
      clientId: z
        .string()
        .min(1)
        .default('flowgate-cli')
        .describe("The issuer's public client that `flowgate login` signs people in as."),
      scope: z
        .string()
        .regex(/^[!-~]+( [!-~]+)*$/, 'must be names with one blank between them')
        .default('openid offline_access')
        .describe('What `flowgate login` asks the issuer for; with `offline_access` the sign-in renews itself.'),
      audience: z
        .string()
        .min(1)
        .optional()
        .describe('Sent to the issuer as `audience`, where it wants to know whom the token is for, as Auth0 does.'),
    })
    .prefault({}),
});

export const keys = z.strictObject({
  peppers: z
    .array(z.string().refine((text) => text.trim() !== '', 'must not be blank'))
    .min(1)
    .describe(
      'Secrets that API keys are hashed with: the first for new keys, all for verification. At least 32 random characters each.',
    ),
  cacheTtlSeconds: seconds(0, 60)
    .default(60)
    .describe('Seconds for which a verified key is trusted without asking the database.'),
});

const limits = z
  .strictObject({
    userPerMinute: whole(1, 1_000_000_000)
      .default(300)
      .describe('Requests that one user may make in any 60 seconds; each message of a batch counts.'),
    sessionPerMinute: whole(1, 1_000_000_000)
      .default(60)
      .describe('Requests in any 60 seconds of one user to one Flow session.'),
    invalidPerMinute: whole(1, 1_000_000_000)
      .default(300)
      .describe('Invalid credentials in any 60 seconds from one address before they are answered 429.'),
    maxBatch: whole(1, 10_000).default(100).describe('Messages in a JSON-RPC batch.'),
    maxBodyBytes: whole(1024, 268_435_456).default(5_242_880).describe('Bytes in a request body.'),
    webSocketsPerUser: whole(1, 1_000_000)
      .default(20)
      .describe(
        'WebSocket connections that one user may have open to one process of the gateway; more are answered 429.',
      ),
    nodesPerUser: whole(1, 1_000_000).default(20).describe('Nodes that one user may have registered.'),
    maxAnswerBytesInFlight: whole(1_048_576, 68_719_476_736)
      .default(268_435_456)
      .describe(
        "Bytes of large answers (over 64 KiB) that may be on their way at once, from the nodes' first byte to the callers' last, and at least two answers of `outbound.maxResponseBytes`; one user has a quarter of it, and at least one such answer. Further ones get 503.",
      ),
    maxBodyBytesInFlight: whole(1_048_576, 68_719_476_736)
      .default(268_435_456)
      .describe(
        'Bytes of request bodies (of those over 16 KiB, and of chunked ones) that may be held at once, counted as they arrive and until they are answered; one user has a quarter of it. Further ones get 503.',
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
      .describe(
        'Hosts, or `host:port`, as written in a URL, that users may name although they are private or plain http.',
      ),
    nodeTimeoutSeconds: seconds(0.1, 200)
      .default(30)
      .describe(
        'Seconds within which a call must have been answered. While another healthy node is left to ask, one of them has a third of it.',
      ),
    maxResponseBytes: whole(1024, 1_073_741_824).default(67_108_864).describe("Bytes in a node's answer."),
    maxConnectionsPerNode: whole(1, 65_535)
      .default(256)
      .describe(
        'Connections kept to one node; calls beyond that wait. One user alone has at most three quarters of them.',
      ),
  })
  .prefault({});

const health = z
  .strictObject({
    intervalSeconds: seconds(1, 3_600)
      .default(15)
      .describe('Seconds between two questions to a healthy node whether it answers, and for the right chain.'),
  })
  .prefault({});

const usage = z
  .strictObject({
    writeSeconds: seconds(0.1, 60)
      .default(10)
      .describe(
        'Seconds between two writes of what was counted: so much usage is lost when a gateway is killed, and so late it is told.',
      ),
  })
  .prefault({});

const log = z
  .strictObject({
    level: z
      .enum(['debug', 'info', 'warn', 'error'])
      .default('info')
      .describe('The least severe level that is written.'),
    requests: z
      .enum(['all', 'failures', 'none'])
      .default('failures')
      .describe('Which requests get a line: all, those answered with status 500 and above, or none.'),
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
    networks: z.array(networkKeys).default([]).describe('Networks that calls can be sent to.'),
    providers: z.array(providerKeys).default(defaultProviders).describe('Approved node providers.'),
    bridges: z
      .array(bridgeKeys)
      .max(10)
      .default([])
      .describe('Bridges of the OP Stack between two of the networks, whose deposits and withdrawals are followed.'),
    swaps: z.array(swapPoolKeys).max(100).default([]).describe('Pools whose swaps are part of the history.'),
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
