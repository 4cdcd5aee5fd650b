/** A JSON-RPC request's way: credential, target, body, limits, then the rpc room. Its steps are the contract's order (decisions 5 and 9). */

import { maskApiKeys } from '../access/api-key.ts';
import type { RefusalReason } from '../access/refusal.ts';
import { type DecodedBody, decodeBody, decodeUtf8 } from '../rpc/message.ts';
import type { RpcRoute } from '../rpc/routes.ts';
import { costOf, type RpcReply, serveBody } from '../rpc/serve-body.ts';
import type { RpcTargets } from '../rpc/target.ts';
import { charge, type Door, identify } from './admit.ts';
import { presentedInPath, presentedOnRpc } from './credential.ts';
import { rpcErrorText } from './envelopes.ts';
import type { Exchange } from './exchange.ts';
import type { ReadBody } from './request-body.ts';

export type RpcService = {
  readonly door: Door;
  readonly targets: RpcTargets;
  readonly readBody: ReadBody;
  readonly maxBatch: number;
};

type Refusal = { readonly reason: RefusalReason; readonly detail?: string | undefined };

export async function serveRpc(
  service: RpcService,
  exchange: Exchange,
  route: RpcRoute,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  exchange.envelope = 'rpc';
  const { door } = service;
  const key = params['apiKey'];
  if (key !== undefined) exchange.shownPath = maskedPath(exchange.path, key);
  const presented = route.keyInPath ? presentedInPath(key ?? '') : presentedOnRpc(exchange.request.headers);
  const identity = identify(door, exchange.request, presented);
  const caller = identity instanceof Promise ? await identity : identity;
  if ('reason' in caller) {
    exchange.admission = caller.admission;
    return exchange.refuse(caller.reason, {
      detail: caller.detail,
      rpcId: await readableId(service, exchange.request),
    });
  }

  const target = service.targets.find(params);
  const decoded =
    target === undefined ? notFound : await decode(service, exchange.request, door.limiter.userLimit(caller.userId));
  if ('reason' in decoded || target === undefined) {
    const refusal = 'reason' in decoded ? decoded : notFound;
    return (await charge(door, exchange, caller, 1)) ?? exchange.refuse(refusal.reason, { detail: refusal.detail });
  }
  const limited = await charge(door, exchange, caller, costOf(decoded));
  if (limited !== undefined) return limited;
  return send(exchange, await serveBody(decoded, target, rpcErrorText));
}

/** Strangers are told their request's id too (decisions 5), but have no more than this read for it. */
const strangersBodyBytes = 16_384;

async function readableId(service: RpcService, request: Request): Promise<string | undefined> {
  if (!(Number(request.headers.get('content-length')) <= strangersBodyBytes)) return undefined;
  const decoded = await decode(service, request, service.maxBatch);
  return 'reason' in decoded || decoded.kind === 'batch' ? undefined : decoded.message.id;
}

const notFound: Refusal = { reason: 'not-found', detail: 'There is no such network or node.' };

type Decoded = Exclude<DecodedBody, { kind: 'unparsable' | 'too-many' }>;

/** A batch longer than the user's whole limit could never be admitted: it is too large, not too soon (decisions 5). */
async function decode(service: RpcService, request: Request, userLimit: number): Promise<Decoded | Refusal> {
  const bytes = await service.readBody(request);
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  if (text === undefined) return { reason: 'parse-error', detail: 'The body is not UTF-8.' };
  const most = Math.min(service.maxBatch, userLimit);
  const decoded = decodeBody(text, most);
  if (decoded.kind === 'unparsable') return { reason: 'parse-error', detail: decoded.detail };
  if (decoded.kind === 'too-many') return { reason: 'too-large', detail: `A batch has at most ${most} messages.` };
  return decoded;
}

function send(exchange: Exchange, reply: RpcReply): Response {
  if (reply.kind === 'answer') return exchange.reply(200, reply.body, 'application/json');
  if (reply.kind === 'silent') return exchange.reply(204, null, undefined);
  return exchange.refuse(reply.reason, reply);
}

/** The credential is the path's last segment, whatever it is: of a key its id is shown, of anything else nothing. */
function maskedPath(path: string, key: string): string {
  return `${path.slice(0, path.lastIndexOf('/') + 1)}${key.startsWith('fk_') ? maskApiKeys(key) : '***'}`;
}
