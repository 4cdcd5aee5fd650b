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
      .describe('Address to listen on.'),
    port: whole(0, 65535).default(8080).describe('Port to listen on; 0 takes a free one.'),
    publicUrl: httpUrl
      .optional()
      .describe('The address callers use, without a trailing slash; by default built from host and port.'),
    trustedProxies: z
      .array(z.string().refine((text) => addressRange(text) !== undefined, 'must be an IP address or a CIDR range'))
      .default([])
      .describe('Proxies, as addresses or CIDR ranges, whose X-Forwarded-For is believed.'),
    tls: z
      .strictObject({
        certificate: z
          .string()
          .min(1)
          .describe(
            'File with the certificate and those of its issuers, as PEM; with it and its key the gateway speaks HTTPS by itself, and nothing else.',
          ),
        key: z.string().min(1).describe('File with its private key, as PEM, not encrypted.'),
        minVersion: z.enum(['TLSv1.2', 'TLSv1.3']).default('TLSv1.2').describe('Oldest version of TLS that is spoken.'),
        reloadSeconds: seconds(0.1, 3600)
          .default(10)
          .describe('Seconds between two looks at the files, which may be replaced at any time.'),
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
            'Origins that browsers may call REST and Flow routes from, with `:*` for any port; `*` for any origin. JSON-RPC routes allow every origin.',
          ),
      })
      .prefault({}),
    workers: whole(1, 64)
      .default(1)
      .describe(
        'Processes that share the port, each a whole gateway with bounds of its own; more than one on Linux, with PostgreSQL and Redis.',
      ),
    maxConnections: whole(1, 1_000_000)
      .default(10_000)
      .describe('Connections at once; more are closed as soon as they are there.'),
    maxConnectionsPerAddress: whole(1, 1_000_000)
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
        'Seconds after which a caller that fetches nothing of an answer or a stream is cut off, while some of it waits; also the time over which `minWriteBytesPerSecond` is measured.',
      ),
    minWriteBytesPerSecond: whole(0, 1_073_741_824)
      .default(8_192)
      .describe(
        'Bytes a second that a caller must fetch of an answer while some of it waits, over `writeTimeoutSeconds`; a slower caller is cut off. Event streams have no such minimum. 0: none.',
      ),
    maxWriteSeconds: seconds(1, 86_400)
      .default(600)
      .describe(
        'Seconds that one answer may wait for its caller in all; then the caller is cut off, at any rate. Event streams have no such maximum.',
      ),
    drainSeconds: seconds(0, 600)
      .default(30)
      .describe('Seconds that calls in flight may take to finish after SIGTERM.'),
    metrics: z
      .strictObject({
        host: z
          .string()
          .refine(isListenHost, 'must be an IP address or a host name, without port or scheme')
          .default('127.0.0.1')
          .describe(
            'Address at which `GET /metrics` is answered, on a listener of its own; whoever reaches it may read them.',
          ),
        port: whole(0, 65535).default(9464).describe('Its port; 0 takes a free one.'),
      })
      .optional(),
  })
  .prefault({});

/** Only the form of a name is checked: whether it resolves depends on the machine. */
function isListenHost(text: string): boolean {
  return isIP(text) !== 0 || (text.length <= 253 && /^[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?\.?$/i.test(text));
}
