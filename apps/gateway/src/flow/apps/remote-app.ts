/** A Flow App that is called over HTTP: signed requests, bounded responses, one retry where that is safe (contract/flow-apps#downstream; docs/decisions/0030). */

import type { TimerWheel } from '@flowgate/async/timer-wheel';
import type { Clock } from '@flowgate/base/clock';
import { ok } from '@flowgate/base/result';
import { type AppFailure, final, retryable } from '@flowgate/flow-format/app-responses/app-failure';
import type { SafeFetch, SafeReply } from '@flowgate/http1/safe-fetch/safe-fetch';
import { isWebhookSecret, signWebhook } from '../signing/webhook-signature.ts';
import type { FlowApp, OpenFlowApp } from './flow-app.ts';

export type RemoteAppOptions = {
  readonly safeFetch: Pick<SafeFetch, 'request'>;
  /** The version's signing secret; undefined if it can no longer be decrypted. */
  readonly openSecret: (version: Parameters<OpenFlowApp>[0]) => string | undefined;
  readonly clock: Clock;
  readonly timerWheel: TimerWheel;
  /** For a whole render, including its retry. */
  readonly renderTimeoutMs: number;
  /** Creates the `webhook-id` of each message. Receivers recognize retries by it, so callers must not be able to choose it, as they can choose `X-Request-Id`. */
  readonly newRequestId: () => string;
};

/** One message to an app. A retry sends it unchanged. */
type Message = {
  readonly method: 'GET' | 'POST';
  readonly path: '/renderStep' | '/health';
  /** The `webhook-id`, by which an app recognizes a retry. */
  readonly id: string;
  /** The `X-Request-Id`, for logs. */
  readonly requestId: string;
  readonly body: string;
};

const maxHealthMs = 5_000;
const retryPauseMs = 200;
const unreadable = final("the app's signing secret cannot be read");

type Failed = Extract<SafeReply, { ok: false }>;

/** Describes a failure of a Flow App, and whether a retry may succeed (contract/flow-apps#answers). `path` is `/renderStep` or `/health`. */
function failedRequest({ failure, detail }: Failed, path: string, timeoutMs: number): AppFailure {
  switch (failure) {
    case 'timeout':
      return retryable(`the app did not answer within ${timeoutMs / 1000} seconds`);
    case 'connect':
    case 'unfit':
      return retryable(`no connection to the app could be made (${detail})`);
    case 'broken':
      return retryable('the app closed the connection before its answer was complete');
    case 'overloaded':
    case 'released':
    case 'abandoned':
    case 'owner-full':
    case 'all-full':
      return retryable('too many requests to the app are in flight');
    case 'forbidden':
      return final(`the app's address is not allowed: ${detail}`);
    case 'too-large':
      return final(`the app's ${path} answered more than ${maxResponseText}`);
    case 'malformed':
      return final(`the app's ${path} answered with an invalid HTTP message (${detail})`);
  }
}

/** Redirects are not followed, and count like any other status. */
function failedStatus(status: number, path: string): AppFailure {
  const detail = `the app's ${path} answered ${status}`;
  return status >= 500 || status === 429 ? retryable(detail) : final(detail);
}

/** Also the limit after decompression (contract/flow-apps#downstream). */
const maxResponseBytes = 1_048_576;
const maxResponseText = '1 MiB';

export function createRemoteApps(options: RemoteAppOptions): OpenFlowApp {
  const { clock } = options;

  return (version): FlowApp => {
    async function send(message: Message, timeoutMs: number): Promise<SafeReply | undefined> {
      const { method, path, id, requestId, body } = message;
      const secret = options.openSecret(version);
      if (secret === undefined || !isWebhookSecret(secret)) return undefined;
      const headers = {
        Accept: 'application/json',
        ...(method === 'POST' ? { 'Content-Type': 'application/json' } : {}),
        'X-Request-Id': requestId,
        ...signWebhook({ secret, id, atMs: clock.now(), body }),
      };
      const url = version.manifest.baseUrl + path;
      const tenant = `app ${version.appId}`;
      return options.safeFetch.request({ url, tenant, method, headers, body, timeoutMs, maxBytes: maxResponseBytes });
    }

    return {
      async render(request) {
        const path = '/renderStep';
        const { requestId } = request;
        const id = options.newRequestId();
        const message: Message = { method: 'POST', path, id, requestId, body: JSON.stringify(request) };
        const reply = await withOneRetry(options, (leftMs) => send(message, leftMs));
        if (reply === undefined) return unreadable;
        if (!reply.ok) return failedRequest(reply, path, options.renderTimeoutMs);
        if (reply.status < 200 || reply.status > 299) return failedStatus(reply.status, path);
        return ok(reply.body);
      },

      async health() {
        const path = '/health';
        const timeoutMs = Math.min(options.renderTimeoutMs, maxHealthMs);
        const id = options.newRequestId();
        const reply = await send({ method: 'GET', path, id, requestId: id, body: '' }, timeoutMs);
        if (reply === undefined) return unreadable;
        if (!reply.ok) return failedRequest(reply, path, timeoutMs);
        return reply.status === 200 ? ok(undefined) : failedStatus(reply.status, path);
      },
    };
  };
}

/**
 * Retries once if the first attempt could not connect, broke, or met a proxy without its app, and no `Retry-After` was given. Never retries after a time-out, because the app may
 * still be working. Both attempts send the same bytes with the same derived key, so that an app can act once for both.
 */
async function withOneRetry(
  { clock, timerWheel, renderTimeoutMs }: RemoteAppOptions,
  attempt: (leftMs: number) => Promise<SafeReply | undefined>,
): Promise<SafeReply | undefined> {
  const endsAt = clock.monotonic() + renderTimeoutMs;
  const first = await attempt(renderTimeoutMs);
  if (first === undefined || !isWorthRetrying(first)) return first;
  if (endsAt - clock.monotonic() <= 2 * retryPauseMs) return first;
  await new Promise<void>((resolve) => timerWheel.arm(retryPauseMs, resolve));
  const leftMs = endsAt - clock.monotonic();
  return leftMs > 0 ? attempt(leftMs) : first;
}

function isWorthRetrying(reply: SafeReply): boolean {
  if (!reply.ok) return reply.failure === 'connect' || reply.failure === 'broken';
  return [502, 503, 504].includes(reply.status) && !reply.headers.has('retry-after');
}
