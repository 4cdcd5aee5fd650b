/**
 * The steps of a request on each surface, in order. The orders differ because each surface needs different facts before it may refuse. A batch costs as much
 * as its messages, so it is decoded before it is charged; a route costs one request, so it is charged before its body is read (contract/limits#what-counts,
 * contract/credentials#missing-and-invalid).
 */

import type { TimeSlices } from '@flowgate/async/time-slices';
import type { OutgoingReply } from '@flowgate/http1/server/incoming-request';
import type { RouteAnswer } from '../../api/route.ts';
import type { AgentAnswer } from '../../mcp/mcp-routes.ts';
import type { CallGuards } from '../../rpc/call-guard.ts';
import type { RpcTargets } from '../../rpc/target.ts';
import type { AccessControl } from '../contexts/access-control.ts';
import type { AgentContext } from '../contexts/agent-context.ts';
import type { MessageContext } from '../contexts/message-context.ts';
import type { OpenStreams } from '../contexts/open-streams.ts';
import type { Pipeline } from '../contexts/pipeline.ts';
import type { ReadUnauthenticatedBody } from '../contexts/read-unauthenticated-body.ts';
import {
  type Maintaining,
  refuseCallInMaintenance,
  refuseRouteInMaintenance,
} from '../contexts/refuse-in-maintenance.ts';
import type { ReadBody } from '../contexts/request-body.ts';
import type { RouteContext } from '../contexts/route-context.ts';
import type { RpcContext } from '../contexts/rpc-context.ts';
import type { UpgradeContext } from '../contexts/upgrade-context.ts';
import { type Accepting, accept } from '../steps/accept.ts';
import { type AgentServices, answerAgent, chargeUnlessTool, replyToAgent } from '../steps/answer-agent.ts';
import { authenticate } from '../steps/authenticate.ts';
import { authorize } from '../steps/authorize.ts';
import { callNodes, refuseRpc } from '../steps/call-nodes.ts';
import { charge, refuseCounted } from '../steps/charge.ts';
import { type AgentOrigins, checkOrigin } from '../steps/check-origin.ts';
import { decodeJson, decodeMessage } from '../steps/decode-json.ts';
import { decodeMessages } from '../steps/decode-messages.ts';
import { extractCredential, extractKey } from '../steps/extract-credential.ts';
import { findTarget } from '../steps/find-target.ts';
import { handleRoute, replyToRoute } from '../steps/handle-route.ts';
import { countCalls, refuseBinary, refuseMessage } from '../steps/message-steps.ts';
import { checkHandshake, openWebSocket, replySwitching, reserveSlot } from '../steps/open-web-socket.ts';
import { readBody } from '../steps/read-body.ts';
import { refuseUnread, refuseUnreadBatch } from '../steps/refuse-unread.ts';
import { verifyAgain } from '../steps/verify-again.ts';
import type { OriginServices } from '../websocket/message-origin.ts';
import type { MessageServices } from '../websocket/socket-messages.ts';
import type { WebSockets } from '../websocket/web-sockets.ts';

/** The services that the steps of all pipelines use; created once. */
export type EdgeServices = AccessControl &
  Accepting &
  AgentOrigins &
  AgentServices &
  Maintaining & {
    readonly readBody: ReadBody;
    readonly readUnauthenticatedBody: ReadUnauthenticatedBody;
    readonly targets: RpcTargets;
    readonly guards: CallGuards;
    /** The maximum number of messages in a batch. */
    readonly maxBatch: number;
    /** The time slices in which large bodies are decoded. */
    readonly slices: TimeSlices;
    readonly streams: OpenStreams;
    readonly webSockets: WebSockets;
    readonly messages: MessageServices;
  } & OriginServices;

export const rpcPipeline: Pipeline<EdgeServices, RpcContext, OutgoingReply> = {
  steps: [
    accept,
    extractKey,
    authenticate,
    findTarget,
    refuseCallInMaintenance,
    refuseUnreadBatch,
    readBody,
    verifyAgain,
    decodeMessages,
    charge,
  ],
  run: callNodes,
  refuse: refuseRpc,
};

/** A request for a WebSocket (contract/websocket#connecting). */
export const upgradePipeline: Pipeline<EdgeServices, UpgradeContext, OutgoingReply> = {
  steps: [accept, extractKey, authenticate, findTarget, refuseCallInMaintenance, checkHandshake, reserveSlot, charge],
  run: openWebSocket,
  reply: replySwitching,
  refuse: refuseCounted,
};

/** A WebSocket message. It is decoded before it is refused, so that its id is in the answer (contract/websocket#messages). */
export const messagePipeline: Pipeline<EdgeServices, MessageContext, OutgoingReply> = {
  steps: [
    authenticate,
    findTarget,
    refuseBinary,
    refuseUnreadBatch,
    decodeMessages,
    countCalls,
    refuseCallInMaintenance,
    charge,
  ],
  run: callNodes,
  refuse: refuseMessage,
};

/** REST and Flow. */
export const routePipeline: Pipeline<EdgeServices, RouteContext, RouteAnswer> = {
  steps: [accept, extractCredential, authenticate, refuseRouteInMaintenance, charge, authorize, readBody, decodeJson],
  run: handleRoute,
  reply: replyToRoute,
  refuse: refuseCounted,
};

/** Routes without authentication, mostly probes. They are answered while the process drains. */
export const publicPipeline: Pipeline<EdgeServices, RouteContext, RouteAnswer> = {
  steps: [],
  run: handleRoute,
  reply: replyToRoute,
  refuse: refuseCounted,
};

export const agentPipeline: Pipeline<EdgeServices, AgentContext, AgentAnswer> = {
  steps: [
    accept,
    checkOrigin,
    extractCredential,
    authenticate,
    refuseUnread,
    readBody,
    decodeMessage,
    chargeUnlessTool,
  ],
  run: answerAgent,
  reply: replyToAgent,
  refuse: refuseCounted,
};
