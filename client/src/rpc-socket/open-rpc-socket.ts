/** Opens connections to a gateway: the options, the number of attempts, and the gateway's reason for a refusal. */

import { credentialHeader } from '../credential.ts';
import { pause, withDeadline } from '../deadline.ts';
import { FlowgateError } from '../flowgate-error.ts';
import { type JsonRpc, type RpcTarget, rpcPath } from '../json-rpc.ts';
import { type JsonRpcSettings, targetOf } from '../json-rpc-settings.ts';
import { mayPass, retryDelayMs } from '../retry-delay.ts';
import { checkedBase } from '../transport.ts';
import { LiveSocket } from './live-socket.ts';
import { type OpenSocket, openSocket, platformSocket } from './open-socket.ts';
import { RpcSocket } from './rpc-socket.ts';

export type SocketOptions = {
  /** Replaces the platform's `WebSocket`, which Node.js has from version 22. */
  readonly openSocket?: OpenSocket | undefined;
  /** How many connections in a row may fail before subscriptions end with an error. Default 10. */
  readonly reconnects?: number | undefined;
  /**
   * In milliseconds. After this time without a message the gateway is sent a check, and after the same time again the connection counts as lost. Default
   * 30,000.
   */
  readonly silenceMs?: number | undefined;
  /** In milliseconds. An unused connection is closed after this time. Default 10,000. */
  readonly idleMs?: number | undefined;
};

/** In seconds; longer than the gateway's window of 60 s. */
const maxRetryAfterSeconds = 90;

/** `overHttp`, with the same settings, finds out why the gateway refuses a connection, because browsers do not expose the reason. */
export function openRpcSocket(settings: JsonRpcSettings & SocketOptions, overHttp: JsonRpc): RpcSocket {
  const { timeoutMs = 30_000, silenceMs = 30_000, idleMs = 10_000, reconnects = 10 } = settings;
  const credential = credentialHeader({ apiKey: settings.apiKey });
  const url = checkedBase(settings.url).replace(/^http/, 'ws') + rpcPath(settings);
  const open = settings.openSocket ?? platformSocket;

  const once = async (lost: (code: number) => void, outer: AbortSignal) =>
    withDeadline({ timeoutMs, signal: outer }, async ({ signal }) => {
      const socket = await openSocket(open, url, await credential(signal), signal);
      return new LiveSocket(socket, silenceMs, lost);
    });
  const connect = async (lost: (code: number) => void, signal: AbortSignal) => {
    for (let failures = 1; ; failures++) {
      try {
        return await once(lost, signal);
      } catch (cause) {
        signal.throwIfAborted();
        const error = await refusalBehind(cause, settings, overHttp, signal);
        if (!(error instanceof FlowgateError) || !mayPass(error) || failures > reconnects) throw error;
        if ((error.retryAfter ?? 0) > maxRetryAfterSeconds) throw error;
        await pause(retryDelayMs(error, failures, Math.random), signal);
      }
    }
  };
  return new RpcSocket({ connect, timeoutMs, reconnects, idleMs });
}

/** A POST with the same credential to the same path returns the reason for the refusal. */
async function refusalBehind(error: unknown, target: RpcTarget, overHttp: JsonRpc, signal: AbortSignal) {
  if (!(error instanceof FlowgateError) || error.kind !== 'no-answer') return error;
  const reported: unknown = await overHttp
    .rpc('eth_chainId', [], { ...targetOf(target), retry: false, timeoutMs: 5_000, signal })
    .catch((refusal: unknown) => refusal);
  return reported instanceof FlowgateError && reported.status >= 400 ? reported : error;
}
