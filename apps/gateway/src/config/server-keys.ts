/** The configuration of the server: its address, trusted proxies, and the bounds of connections and time. */

import { isIP } from 'node:net';
import { isOriginPattern } from '@flowgate/http1/origin-pattern';
import { addressRange } from '@flowgate/http1/safe-fetch/address-ranges';
import { z } from 'zod';
import { httpUrl, seconds, whole } from './value-forms.ts';

export const serverKeys = z
  .strictObject({
    host: z
      .string()
      .refine(isListenHost, 'must be an IP address or a host name, without port or scheme')
      .default('127.0.0.1')
      .describe('Address on which the gateway listens.'),
    port: whole(0, 65535).default(8080).describe('Port on which the gateway listens; 0 selects a free port.'),
    publicUrl: httpUrl
      .optional()
      .describe('Address that callers use, without a trailing slash. Default: built from host and port.'),
    trustedProxies: z
      .array(z.string().refine((text) => addressRange(text) !== undefined, 'must be an IP address or a CIDR range'))
      .default([])
      .describe('Proxies whose `X-Forwarded-For` header the gateway trusts.'),
    tls: z
      .strictObject({
        certificate: z
          .string()
          .min(1)
          .describe(
            "PEM file with the certificate chain, the gateway's certificate first. With `tls` the port speaks HTTPS only.",
          ),
        key: z.string().min(1).describe('PEM file with the private key, not encrypted.'),
        minVersion: z
          .enum(['TLSv1.2', 'TLSv1.3'])
          .default('TLSv1.2')
          .describe('Oldest TLS version that the gateway accepts.'),
        reloadSeconds: seconds(0.1, 3600)
          .default(10)
          .describe('Interval at which the gateway checks both files for changes.'),
      })
      .optional(),
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
            'Origins from which browsers may call REST and Flow routes: `:*` allows any port, `*` any origin. JSON-RPC routes allow every origin.',
          ),
      })
      .prefault({}),
    workers: whole(1, 64)
      .default(1)
      .describe(
        'Number of processes that share the port. Each is a complete gateway with limits of its own. More than one needs Linux, PostgreSQL and Redis.',
      ),
    maxConnections: whole(1, 1_000_000)
      .default(10_000)
      .describe('Open connections of callers per process; further ones are closed at once.'),
    maxConnectionsPerAddress: whole(1, 1_000_000)
      .default(1_000)
      .describe('Open connections from one client address that is not a trusted proxy.'),
    headTimeoutSeconds: seconds(0.1, 600)
      .default(30)
      .describe('Time within which a complete request head must arrive.'),
    idleTimeoutSeconds: seconds(1, 3600).default(255).describe('Time that a connection may wait for its next request.'),
    bodyTimeoutSeconds: seconds(0.1, 60).default(30).describe('Time within which a complete request body must arrive.'),
    writeTimeoutSeconds: seconds(0.1, 3600)
      .default(30)
      .describe(
        'Time after which a caller that reads nothing of a pending response or stream is disconnected. `minWriteBytesPerSecond` is measured over the same time.',
      ),
    minWriteBytesPerSecond: whole(0, 1_073_741_824)
      .default(8_192)
      .describe(
        'Rate at which a caller must read a pending response, measured over `writeTimeoutSeconds`; a slower caller is disconnected. Event streams are exempt. 0 disables the check.',
      ),
    maxWriteSeconds: seconds(1, 86_400)
      .default(600)
      .describe(
        'Total time that one response may wait for its caller, at any rate; then the caller is disconnected. Event streams are exempt.',
      ),
    drainSeconds: seconds(0, 600).default(30).describe('Time that calls in flight have to finish after SIGTERM.'),
    metrics: z
      .strictObject({
        host: z
          .string()
          .refine(isListenHost, 'must be an IP address or a host name, without port or scheme')
          .default('127.0.0.1')
          .describe('Address of the separate listener for `GET /metrics`, which requires no credentials.'),
        port: whole(0, 65535).default(9464).describe('Port of that listener; 0 selects a free port.'),
      })
      .optional(),
  })
  .prefault({});

/** Checks only the form of a name: whether it resolves depends on the machine. */
function isListenHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/i.test(text));
}
