/** Sends a JSON-RPC request and prints its answer while it arrives: an answer of hundreds of megabytes takes no more memory than a small one. */

import { createFlowgate } from '@flowgate/client';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import type { Connection } from '../profiles/connection.ts';
import { createJsonPrinter } from './json-printer.ts';
import { MemberBytes } from './member-bytes.ts';

/** The gateway answers sooner, whatever its nodes do; the body may take longer. */
const headTimeoutMs = 120_000;
const maxErrorBytes = 1_048_576;

export type RpcRequest = {
  /** Below the gateway's address. */
  readonly path: string;
  readonly body: string;
  readonly isBatch: boolean;
};

/** Resolves when the answer is printed. Throws `CliProblem` for an answer with an error, or what the client throws for a refusal. */
export async function streamCall(cli: Cli, connection: Connection, request: RpcRequest): Promise<void> {
  const { output } = cli;
  const response = await head(cli, connection, request);
  if (response.status !== 200 || !/\bjson\b/i.test(response.headers.get('content-type') ?? ''))
    return refuse(connection, response);
  const isWholeAnswer = output.isJson() || request.isBatch;
  const printer = createJsonPrinter(output, !isWholeAnswer);
  const errors: Uint8Array[] = [];
  let errorBytes = 0;
  const found = { result: false, error: false };
  let results: Uint8Array[] = [];
  const members = new MemberBytes((name, bytes) => {
    if (name === '"result"') {
      found.result = true;
      if (!isWholeAnswer) results.push(bytes);
    }
    if (name !== '"error"') return;
    found.error = true;
    errorBytes += bytes.length;
    if (errorBytes <= maxErrorBytes) errors.push(Buffer.from(bytes));
  });
  for await (const bytes of response.body ?? []) {
    members.feed(bytes);
    if (isWholeAnswer) await printer.write(bytes);
    for (const piece of results) await printer.write(piece);
    results = [];
  }
  const whole = members.whole();
  const isAnswer = whole === 'array' ? request.isBatch : whole === 'object' && (found.result || found.error);
  if (isWholeAnswer || found.result) await printer.end();
  if (!isAnswer) throw new CliProblem('unreachable', 'the answer ended early, or is none of JSON-RPC');
  if (!found.error) return;
  // Of a whole answer the error is a part that is printed already.
  if (isWholeAnswer) throw new CliProblem('refused', '');
  throw rpcProblem(Buffer.concat(errors).toString());
}

async function head(cli: Cli, { url, credential }: Connection, { path, body }: RpcRequest): Promise<Response> {
  const { signal, fetch } = cli.runtime;
  const timeUp = new AbortController();
  const timer = setTimeout(() => timeUp.abort(), headTimeoutMs);
  const { apiKey } = credential;
  try {
    return await fetch(url + path, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...(typeof apiKey === 'string' ? { 'X-API-Key': apiKey } : {}),
      },
      body,
      // A redirect would take the key along.
      redirect: 'error',
      signal: AbortSignal.any([signal, timeUp.signal]),
    });
  } catch {
    throw new CliProblem(
      'unreachable',
      `${url} could not be reached`,
      'Is the address right, and is the gateway running?',
    );
  } finally {
    clearTimeout(timer);
  }
}

/** The client knows the forms of refusals. Its own refusals are short: more is not read. */
async function refuse({ url }: Connection, response: Response): Promise<never> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxErrorBytes) break;
    pieces.push(piece);
  }
  const { status, headers } = response;
  // An answer with 200 here is none of JSON-RPC, and the client reads it as such.
  const read = new Response(status === 200 ? '' : Buffer.concat(pieces), { status, headers: factHeaders(headers) });
  await createFlowgate({ url, fetch: async () => read, retry: false }).rpc('refused');
  throw new CliProblem('unreachable', 'the answer is none of JSON-RPC');
}

/** Without those of the encoding, which is decoded. */
function factHeaders(headers: Headers): Headers {
  const kept = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name);
  return kept;
}

function rpcProblem(json: string): CliProblem {
  const error = parsed(json);
  const code = 'code' in error && typeof error.code === 'number' ? ` (${error.code})` : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : 'the call failed';
  const data =
    'data' in error && error.data !== undefined ? `data: ${JSON.stringify(error.data).slice(0, 2_000)}` : undefined;
  return new CliProblem('refused', message + code, data);
}

function parsed(json: string): object {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
