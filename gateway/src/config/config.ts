/** The configuration's schema: each key's name, form, default and one sentence; `docs/configuration.md` is held against it by a test. */

import { isIP } from 'node:net';
import { z } from 'zod';
import { isHeaderName, isHeaderValue } from '../platform/http1/http1-request.ts';
import { identifierForm } from '../platform/identifier.ts';
import { isOriginPattern } from '../platform/origin-pattern.ts';
import { addressRange } from '../platform/safe-fetch/address-ranges.ts';
import { isHostOfUrl } from '../platform/safe-fetch/url-vetting.ts';

const identifier = z.string().regex(identifierForm, 'must be 1 to 64 letters, digits, dots, dashes or underscores');

/** Numbers and booleans may come from the environment, where everything is text. */
const fromText = (value: unknown) => {
  if (value === 'true') return true;
  if (value === 'false') return false;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
};
const whole = (min: number, max: number) => z.preprocess(fromText, z.number().int().min(min).max(max));
const flag = z.preprocess(fromText, z.boolean());
const seconds = (min: number, max: number) => z.preprocess(fromText, z.number().min(min).max(max));

const httpUrl = z
  .string()
  .refine((text) => ['http:', 'https:'].includes(protocolOf(text)), 'must be an http:// or https:// URL');

const server = z
  .strictObject({
    host: z
      .string()
      .refine(isListenHost, 'must be an IP address or a host name, without port or scheme')
      .default('127.0.0.1')
      .describe('Address to listen on.'),
    port: whole(0, 65535).default(8080).describe('Port to listen on; 0 takes a free one.'),
    publicUrl: httpUrl
      .optional()
      .describe('The address callers use, without a trailing slash; by default built from host and port.'),
    trustedProxies: z
      .array(z.string().refine((text) => addressRange(text) !== undefined, 'must be an IP address or a CIDR range'))
      .default([])
      .describe('Proxies, as addresses or CIDR ranges, whose X-Forwarded-For is believed.'),
    cors: z
      .strictObject({
        origins: z
          .array(
            z
              .string()
              .refine(
                isOriginPattern,
                'must be an origin as browsers send it, such as https://app.example.com (no path, no slash at the end), http://localhost:* for any port, or *',
              ),
          )
          .default([])
          .describe(
            'Origins that browsers may call REST and Flow routes from, with `:*` for any port; `*` for any origin. JSON-RPC routes allow every origin.',
          ),
      })
      .prefault({}),
    maxConnections: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(10_000)
      .describe('Connections at once; more are closed as soon as they are there.'),
    maxConnectionsPerAddress: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1_000)
      .describe('Of these, from one address that is no trusted proxy.'),
    headTimeoutSeconds: seconds(0.1, 600)
      .default(30)
      .describe('Seconds within which a request head must have arrived whole.'),
    idleTimeoutSeconds: seconds(1, 3600)
      .default(255)
      .describe('Seconds that a connection may wait for its next request.'),
    bodyTimeoutSeconds: seconds(0.1, 60)
      .default(30)
      .describe('Seconds within which a request body must have arrived whole.'),
    writeTimeoutSeconds: seconds(0.1, 3600)
      .default(30)
      .describe(
        'Seconds after which a caller who fetches nothing of a large answer (over 64 KiB) or a stream is cut off.',
      ),
    drainSeconds: seconds(0, 600)
      .default(30)
      .describe('Seconds that calls in flight may take to finish after SIGTERM.'),
  })
  .prefault({});

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
});

const storage = z
  .strictObject({
    database: z
      .string()
      .regex(
        /^(sqlite:(?!:memory:|file:).+|postgres(ql)?:\/\/.+)/,
        'must be sqlite:<file> or postgres://<user>:<password>@<host>:<port>/<database>',
      )
      .default('sqlite:./data/flowgate.db')
      .describe(
        'Where everything durable is kept: `sqlite:<file>`, relative to the working directory, for one machine, or `postgres://…` for any number of gateways.',
      ),
    databaseConnections: whole(1, 1_000).default(10).describe('Connections that one gateway keeps to PostgreSQL.'),
    databaseTimeoutMs: whole(10, 1_000)
      .default(150)
      .describe(
        'Milliseconds that a request waits for a read from the database before it is refused; writes have 1,000, because they wait for the disk.',
      ),
    redis: z
      .string()
      .refine(
        isRedisAddress,
        'must be redis://<user>:<password>@<host>:<port>/<number> or rediss://…, with user and password percent-encoded',
      )
      .optional()
      .describe(
        'Redis or Valkey, through which gateways share limits and revocations: `redis://user:password@host:port/number`.',
      ),
    redisTimeoutMs: whole(1, 10_000)
      .default(100)
      .describe('Milliseconds that a request waits for Redis before its gateway limits by itself.'),
    redisNamespace: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores')
      .default('flowgate')
      .describe('Begins the names of keys and channels in Redis: installations that share one differ in it.'),
  })
  .prefault({});

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
    intervalSeconds: seconds(0.1, 3_600)
      .default(15)
      .describe('Seconds between two questions to a healthy node whether it answers, and for the right chain.'),
  })
  .prefault({});

export const flow = z.strictObject({
  sessionTtlSeconds: seconds(1, 31_536_000)
    .default(86_400)
    .describe('Seconds after which an idle Flow session expires.'),
  maxActiveSessions: whole(1, 100_000)
    .default(1_000)
    .describe('Flow sessions that one user may have active at once; a start beyond it is 409.'),
  maxUserBytes: whole(1_048_576, 1_099_511_627_776)
    .default(268_435_456)
    .describe(
      'Bytes that one user may keep in Flow sessions, with responses and events, and in app data; a start or step beyond it is 409.',
    ),
  retentionDays: whole(0, 36_500)
    .default(30)
    .describe(
      'Days for which a Flow session that is over is kept, with its responses and events; 0 keeps it for ever.',
    ),
  renderTimeoutSeconds: seconds(0.1, 200).default(10).describe('Seconds within which a Flow App must have answered.'),
  leaseSeconds: seconds(1, 600)
    .default(15)
    .describe('Seconds for which one gateway holds a session while it runs a step.'),
  facilitatorUrl: httpUrl.optional().describe('The x402 facilitator that settles payments.'),
  embeddedApps: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'Modules, relative to the working directory, whose default export is a Flow App that runs in the gateway.',
    ),
  contentFilter: z
    .strictObject({
      disable: z
        .array(identifier)
        .default([])
        .describe("Rules of the gateway's own that are not applied, by their ruleId."),
      flag: z
        .array(identifier)
        .default([])
        .describe("Rules, the gateway's own or those below, that let pass with a warning what they would refuse."),
      rules: z
        .array(
          z.strictObject({
            ruleId: identifier.describe('Unique; named in the refusal.'),
            pattern: z
              .string()
              .min(1)
              .max(1_000)
              .describe('What no text of an app may hold: an RE2 pattern, matched anywhere, letters of either case.'),
          }),
        )
        .default([])
        .describe("Further rules for the texts that Flow Apps send; the gateway's own are in content-filter.md."),
    })
    .prefault({}),
});

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

const node = z.strictObject({
  nodeId: identifier.describe('Unique within its ledger.'),
  url: httpUrl.describe('Where the node answers JSON-RPC; may hold a provider key, which is never shown.'),
  headers: z
    .record(
      z
        .string()
        .refine(isHeaderName, 'must be a header that the gateway does not set itself, such as Host or Content-Length'),
      z.string().refine(isHeaderValue, 'must be printable ASCII'),
    )
    .default({})
    .describe('Headers sent with every call to the node, for example Authorization.'),
});

export const network = z.strictObject({
  dlt: identifier.describe('The ledger, for example `ethereum`.'),
  networkId: identifier.describe('Unique within its ledger.'),
  name: z.string().min(1).optional().describe('For people; by default the networkId.'),
  chainId: whole(1, Number.MAX_SAFE_INTEGER).describe(
    'The EIP-155 chain id. A node that answers another one is not asked.',
  ),
  default: flag
    .default(false)
    .describe('Whether un-scoped /rpc reaches this network; a single network is the default by itself.'),
  nodes: z.array(node).min(1).describe('Asked in this order; the next when one fails.'),
  methods: z
    .strictObject({
      enable: z
        .array(z.string())
        .default([])
        .describe('Heavy method families opened on this network, for example `trace_*`.'),
    })
    .prefault({}),
});

export const provider = z.strictObject({
  providerId: identifier.describe('Unique.'),
  name: z.string().min(1).describe('For people.'),
  domains: z
    .array(z.string().regex(/^[a-z0-9.-]+\.[a-z]+$/))
    .min(1)
    .describe('Domains that public nodes of this provider live at or below.'),
});

/** The eight approved provider domains (contract/networks#providers). */
const defaultProviders = [
  { providerId: 'alchemy', name: 'Alchemy', domains: ['alchemy.com'] },
  { providerId: 'infura', name: 'Infura', domains: ['infura.io'] },
  { providerId: 'quicknode', name: 'QuickNode', domains: ['quiknode.pro'] },
  { providerId: 'ankr', name: 'Ankr', domains: ['ankr.com'] },
  { providerId: 'chainstack', name: 'Chainstack', domains: ['chainstack.com'] },
  { providerId: 'getblock', name: 'GetBlock', domains: ['getblock.io'] },
  { providerId: 'blast', name: 'Blast API', domains: ['blastapi.io'] },
  { providerId: 'nodereal', name: 'NodeReal', domains: ['nodereal.io'] },
];

const rootForm = 'must be keys with their values (key: value)';

export const configSchema = z.strictObject(
  {
    server,
    identity,
    storage,
    keys,
    limits,
    outbound,
    health,
    flow: flow.prefault({}),
    log,
    networks: z.array(network).default([]).describe('Networks that calls can be sent to.'),
    providers: z.array(provider).default(defaultProviders).describe('Approved node providers.'),
  },
  rootForm,
);

export type Config = z.output<typeof configSchema>;
/** What the schema finds wrong. */
export type ConfigIssue = z.core.$ZodIssue;
export type NetworkConfig = z.output<typeof network>;

/** Of names the form alone: whether one leads anywhere is the machine's to say. */
function isListenHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/i.test(text));
}

function protocolOf(text: string): string {
  try {
    return new URL(text).protocol;
  } catch {
    return '';
  }
}

function isBareUrl(text: string): boolean {
  const url = URL.parse(text);
  return url === null || (url.username === '' && url.password === '' && url.search === '' && url.hash === '');
}

/** A password with a raw `/`, `#`, `?` or `%` makes another address of it, or none: the message does not repeat it. */
function isRedisAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === '' || url.search !== '' || url.hash !== '')
    return false;
  return /^\/?\d*$/.test(url.pathname) && [url.username, url.password].every((part) => !/%(?![0-9a-f]{2})/i.test(part));
}
