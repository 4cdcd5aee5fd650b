/**
 * The pipeline of a JSON-RPC request, written out: the steps of `rpcPipeline` in its order, so that a synchronous request awaits nothing (docs/decisions/0059).
 * A test compares it with that table.
 */

import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import { refuseCallInMaintenance } from '../contexts/refuse-in-maintenance.ts';
import type { Refusal } from '../contexts/request-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';
import { accept } from '../steps/accept.ts';
import { callNodesAndReply, refuseRpc } from '../steps/call-nodes.ts';
import { charge } from '../steps/charge.ts';
import { decodeMessages } from '../steps/decode-messages.ts';
import { findTarget } from '../steps/find-target.ts';
import { identify } from '../steps/identify.ts';
import { presentKey } from '../steps/present.ts';
import { readBody } from '../steps/read-body.ts';
import { refuseUnreadBatch } from '../steps/refuse-unread.ts';
import { verifyAgain } from '../steps/verify-again.ts';
import type { EdgeServices } from './pipelines.ts';

type Reply = OutgoingReply | Promise<OutgoingReply>;

/** A promise only when a step has to wait. */
export function runRpc(services: EdgeServices, context: RpcContext): Reply {
  const refusal = accept(services, context);
  if (refusal !== undefined) return refuseRpc(services, context, refusal);
  presentKey(services, context);
  const identified = identify(services, context);
  return identified instanceof Promise
    ? identified.then((refused) => read(services, context, refused))
    : read(services, context, identified);
}

function read(services: EdgeServices, context: RpcContext, refused: Refusal | undefined): Reply {
  if (refused !== undefined) return refuseRpc(services, context, refused);
  const found = findTarget(services, context);
  return found instanceof Promise
    ? found.then((lacking) => readOn(services, context, lacking))
    : readOn(services, context, found);
}

function readOn(services: EdgeServices, context: RpcContext, refused: Refusal | undefined): Reply {
  const refusal = refused ?? refuseCallInMaintenance(services, context) ?? refuseUnreadBatch(services, context);
  if (refusal !== undefined) return refuseRpc(services, context, refusal);
  const reading = readBody(services, context);
  return reading === undefined ? verify(services, context) : reading.then(() => verify(services, context));
}

function verify(services: EdgeServices, context: RpcContext): Reply {
  const verified = verifyAgain(services, context);
  return verified instanceof Promise
    ? verified.then((refused) => decode(services, context, refused))
    : decode(services, context, verified);
}

function decode(services: EdgeServices, context: RpcContext, refused: Refusal | undefined): Reply {
  if (refused !== undefined) return refuseRpc(services, context, refused);
  const decoded = decodeMessages(services, context);
  return decoded instanceof Promise
    ? decoded.then((broken) => bill(services, context, broken))
    : bill(services, context, decoded);
}

function bill(services: EdgeServices, context: RpcContext, refused: Refusal | undefined): Reply {
  if (refused !== undefined) return refuseRpc(services, context, refused);
  const charged = charge(services, context);
  return charged instanceof Promise
    ? charged.then((over) => call(services, context, over))
    : call(services, context, charged);
}

function call(services: EdgeServices, context: RpcContext, refused: Refusal | undefined): Reply {
  if (refused !== undefined) return refuseRpc(services, context, refused);
  return callNodesAndReply(services, context);
}
