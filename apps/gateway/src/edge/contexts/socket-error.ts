/** Refusals as JSON-RPC errors, those too that are StandardErrors over HTTP (contract/websocket#errors). */

import { type ByteContent, TextContent } from '@flowgate/bytes/byte-content';
import type { ByteRange } from '@flowgate/bytes/byte-range';
import { type RefusalReason, refusals } from '../../api/refusal.ts';
import { rpcError } from './rpc-error.ts';

type Row = { readonly code: number; readonly message: string };

/** Of reasons without a JSON-RPC form that concern a message. */
const rows: Readonly<Partial<Record<RefusalReason, Row>>> = {
  'rate-limited': { code: -32005, message: 'Too many requests.' },
  denied: { code: -32003, message: 'Forbidden.' },
  'not-found': { code: -32004, message: 'Not found.' },
  'too-large': { code: -32600, message: 'Invalid request.' },
  'bad-gateway': { code: -32603, message: 'Bad gateway.' },
  unavailable: { code: -32002, message: 'Service unavailable.' },
};

/** `data`: a JSON text. What has no row of its own is an internal error with the reason's sentence. */
export function socketError(reason: RefusalReason, id: ByteRange, data: string | undefined): ByteContent {
  if (refusals[reason].rpc !== undefined) return rpcError(reason, id, data);
  const { code, message } = rows[reason] ?? { code: -32603, message: `${refusals[reason].label}.` };
  const told = data === undefined ? '' : `,"data":${data}`;
  return new TextContent(
    `{"jsonrpc":"2.0","id":${id.text()},"error":{"code":${code},"message":${JSON.stringify(message)}${told}}}`,
  );
}
