/** Answers `GET /metrics` on the listener for metrics; other requests are refused. */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { RequestHandler } from '@flowgate/http1/server/request-handler';
import { expositionTypes, formatFor, writeMetrics } from '@flowgate/telemetry/metrics/exposition';
import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import { pathOf } from '../contexts/request-path.ts';

/** `read` returns the current metrics as text. Never rejects. */
export function createMetricsHandler(read: () => MetricsSnapshot | Promise<MetricsSnapshot>): RequestHandler {
  return {
    handle({ method, target, header }) {
      if (pathOf(target) !== '/metrics') return plain(404, 'This listener serves only /metrics.\n');
      if (method !== 'GET' && method !== 'HEAD') return plain(405, 'Use GET or HEAD.\n', { Allow: 'GET, HEAD' });
      const format = formatFor(header('accept'));
      const write = (families: MetricsSnapshot): OutgoingReply => ({
        status: 200,
        headers: { 'Content-Type': expositionTypes[format], 'Cache-Control': 'no-store', Vary: 'Accept' },
        body: writeMetrics(families, format),
      });
      const families = read();
      return families instanceof Promise ? families.then(write) : write(families);
    },
    refuse: ({ status, detail }) => plain(status, `${detail}\n`),
  };
}

function plain(status: number, body: string, headers: Readonly<Record<string, string>> = {}): OutgoingReply {
  return { status, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body };
}
