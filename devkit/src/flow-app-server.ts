/** Serves a Flow App over HTTP: signed `POST /renderStep`, executed once for each submission, and `GET /health` (contract/flow-apps#downstream). */
import type { RenderRequest, RenderResponse } from '@flowgate/client/flow-wire';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { EffectJournal } from './effect-journal.ts';

/** A reducer: returns the next step from the state and the submission. If it throws, the gateway gets a 500, which it calls retryable. */
export type RenderStep = (request: RenderRequest) => RenderResponse | Promise<RenderResponse>;

export type FlowAppServerOptions = {
  readonly renderStep: RenderStep;
  /** `whsec_…`, the secret that the version was published with; several while it is being replaced. */
  readonly signingSecrets: readonly string[];
  readonly journal: EffectJournal;
  /** A prefix of both routes, for several apps on one port: `/token-transfer`. Default: none. */
  readonly basePath?: string;
  /** Gets what `renderStep` threw; the caller learns only that something was thrown. */
  readonly onError?: (error: unknown) => void;
};

/** A request contains the app's state and the caller's data besides one submission. */
const mostBodyBytes = 8 * 1024 * 1024;

/** A handler in the style of `fetch`, for `Bun.serve` and similar servers. */
export function createFlowAppServer(options: FlowAppServerOptions): (request: Request) => Promise<Response> {
  const { basePath = '', onError = () => {} } = options;
  const webhooks = options.signingSecrets.map((secret) => new Webhook(secret));
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === `${basePath}/health`)
      return request.method === 'GET' ? Response.json({ status: 'ok' }) : problem(405, 'GET only');
    if (pathname !== `${basePath}/renderStep`) return problem(404, 'nothing here');
    if (request.method !== 'POST') return problem(405, 'POST only');
    const body = await request.text();
    if (Buffer.byteLength(body) > mostBodyBytes) return problem(413, 'too large');
    if (!isSigned(webhooks, body, request.headers)) return problem(401, 'the signature does not fit');
    const rendered: unknown = JSON.parse(body);
    if (!isRenderRequest(rendered)) return problem(400, 'not a RenderRequest of protocol version 1');
    try {
      return Response.json(await renderOnce(options, rendered));
    } catch (error) {
      onError(error);
      return problem(500, 'the app failed');
    }
  };
}

/** A start has no effect and no key: each may be rendered anew. */
async function renderOnce({ renderStep, journal }: FlowAppServerOptions, request: RenderRequest) {
  const act = async () => renderStep(request);
  const { submission, session } = request;
  return submission === undefined ? act() : journal.answer(`${session.appId} ${submission.idempotencyKey}`, act);
}

/** The signature covers id, time and body; `standardwebhooks` also refuses a time more than five minutes ago. */
function isSigned(webhooks: readonly Webhook[], body: string, headers: Headers): boolean {
  const signed = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, headers.get(name) ?? '']),
  );
  return webhooks.some((webhook) => {
    try {
      webhook.verify(body, signed, { jsonParse: false });
      return true;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}

/** The signature proves who wrote it, so this only distinguishes versions of the protocol. */
function isRenderRequest(value: unknown): value is RenderRequest {
  return (
    typeof value === 'object' &&
    value !== null &&
    'protocolVersion' in value &&
    value.protocolVersion === '1' &&
    'reason' in value &&
    (value.reason === 'start' || ('submission' in value && typeof value.submission === 'object'))
  );
}

function problem(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
