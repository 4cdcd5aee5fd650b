/** Sends a JSON-RPC request and prints its answer while it arrives: large and small answers need the same memory. */

import { createFlowgate } from '@flowgate/client';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import type { Connection } from '../profiles/connection.ts';
import { createJsonPrinter } from './json-printer.ts';
import { MemberBytes } from './member-bytes.ts';

/** The gateway sends headers within this time, even when its nodes are slow; the body may take longer. */
const headTimeoutMs = 120_000;
const maxErrorBytes = 1_048_576;

export type RpcRequest = {
  /** Path below the gateway's address. */
  readonly path: string;
  readonly body: string;
  readonly isBatch: boolean;
};

/** Resolves when the answer is printed. Throws `CliProblem` for an answer with an error, or the client's error for a refusal. */
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
  if (!isAnswer) throw new CliProblem('unreachable', 'the answer ended early, or is not a JSON-RPC answer');
  if (!found.error) return;
  // With the complete answer, the error is already printed as a part of it.
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
      // A redirect would send the key to another address.
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

/** The client parses refusals, which are short; a longer body is not read. */
async function refuse({ url }: Connection, response: Response): Promise<never> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxErrorBytes) break;
    pieces.push(piece);
  }
  const { status, headers } = response;
  // An answer with status 200 is not JSON-RPC here, and the client reports it as such.
  const read = new Response(status === 200 ? '' : Buffer.concat(pieces), { status, headers: factHeaders(headers) });
  await createFlowgate({ url, fetch: async () => read, retry: false }).rpc('refused');
  throw new CliProblem('unreachable', 'the answer is not JSON-RPC');
}

/** Without the headers of the encoding, because the body is already decoded. */
function factHeaders(headers: Headers): Headers {
  const decoded = new Headers(headers);
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) decoded.delete(name);
  return decoded;
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
