/** Answers a gateway's questions about texts of Flow Apps with a model behind an OpenAI-compatible API (docs/content-classifier.md). */

import { Webhook } from 'standardwebhooks';
import { boundedText } from '../bounded-text.ts';
import { classificationPrompt, parsedObject, refusedIndices } from './classification-prompt.ts';

export type ClassifierAdapterOptions = {
  /** The secret in `flow.contentFilter.classifier`. */
  readonly secret: string;
  /** Base URL of `/chat/completions`: `http://127.0.0.1:11434/v1`. */
  readonly modelUrl: string;
  readonly model: string;
  /** Sent as a bearer token; local servers need none. */
  readonly apiKey?: string | undefined;
  /** In milliseconds. Shorter than the gateway's `timeoutMs`, so that the gateway gets the 502. Default 4,500. */
  readonly timeoutMs?: number;
  /** Maximum number of concurrent questions; further ones are 503. Default 4. */
  readonly maxInFlight?: number;
  /** Gets one line about each failure, without any text of an app. */
  readonly report?: (line: string) => void;
};

/** 401 without a valid signature; 400 for another form of body; 502 and 503 when the model gives no answer. The gateway's `onFailure` decides what follows. */
export type ClassifierAdapter = (request: Request) => Promise<Response>;

/** The gateway sends at most 1 MiB of texts; JSON escapes may enlarge them. */
const maxBodyBytes = 4_194_304;

export function createClassifierAdapter(options: ClassifierAdapterOptions): ClassifierAdapter {
  const { maxInFlight = 4, report = () => {} } = options;
  const webhook = new Webhook(options.secret, options.secret.startsWith('whsec_') ? undefined : { format: 'raw' });
  let inFlight = 0;
  return async (request) => {
    if (request.method !== 'POST') return answer(405, { error: 'POST only' });
    const body = await boundedText(request, maxBodyBytes).catch(() => undefined);
    if (body === undefined) return answer(413, { error: 'too large' });
    if (!isSigned(webhook, body, request.headers)) return answer(401, { error: 'the signature is not valid' });
    const texts = textsOf(body);
    if (texts === undefined) return answer(400, { error: 'not { "texts": [{ "text": "…" }] }' });
    if (inFlight >= maxInFlight) return answer(503, { error: 'the model is busy' });
    inFlight += 1;
    try {
      const refused = refusedIndices(await askModel(options, texts), texts.length);
      if (refused !== undefined) return answer(200, { refused });
      report('the model answered in another form');
      return answer(502, { error: 'the model answered in another form' });
    } catch (error) {
      report(`the model did not answer: ${error instanceof Error ? error.message : 'unknown'}`);
      return answer(502, { error: 'the model did not answer' });
    } finally {
      inFlight -= 1;
    }
  };
}

function isSigned(webhook: Webhook, body: string, headers: Headers): boolean {
  try {
    webhook.verify(body, Object.fromEntries(headers));
    return true;
  } catch {
    return false;
  }
}

function textsOf(body: string): readonly string[] | undefined {
  const { texts }: { texts?: unknown } = parsedObject(body) ?? {};
  if (!Array.isArray(texts)) return undefined;
  const found = texts.flatMap((each: { text?: unknown } | null) => (typeof each?.text === 'string' ? [each.text] : []));
  return found.length === texts.length ? found : undefined;
}

/** The content of the model's message. Throws when the server does not answer. */
async function askModel(
  { modelUrl, model, apiKey, timeoutMs = 4_500 }: ClassifierAdapterOptions,
  texts: readonly string[],
): Promise<string> {
  const response = await fetch(`${modelUrl.replace(/\/$/, '')}/chat/completions`, {
    method: 'POST',
    redirect: 'error',
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey === undefined ? {} : { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, temperature: 0, stream: false, ...classificationPrompt(texts) }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { choices }: { choices?: readonly { message?: { content?: unknown } }[] } = JSON.parse(
    await boundedText(response),
  );
  const content = choices?.[0]?.message?.content;
  if (typeof content !== 'string') throw new Error('no message');
  return content;
}

const answer = (status: number, body: object): Response => Response.json(body, { status });
