/** A connection to a gateway as it is asked for: how it is opened, how often that is tried, and why the gateway refuses it. */

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
  /** In place of the platform's `WebSocket`, which Node.js has from version 22 on. */
  readonly openSocket?: OpenSocket | undefined;
  /** How many connections in a row may fail before subscriptions end with an error. Default 10. */
  readonly reconnects?: number | undefined;
  /** After this long without a message the gateway is asked for a sign of life, and after as long again the connection counts as lost. Default 30 000. */
  readonly silenceMs?: number | undefined;
  /** A connection that nothing needs is closed after this long. Default 10 000. */
  readonly idleMs?: number | undefined;
};

/** In seconds; beyond the gateway's window of 60 s. */
const maxRetryAfterSeconds = 90;

/** `overHttp`, of the same settings, tells why the gateway refuses a connection, which browsers keep for themselves. */
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

/** What the gateway answers to the same credential on the same path by POST says why it does not take the connection. */
async function refusalBehind(error: unknown, target: RpcTarget, overHttp: JsonRpc, signal: AbortSignal) {
  if (!(error instanceof FlowgateError) || error.kind !== 'no-answer') return error;
  const reported: unknown = await overHttp
    .rpc('eth_chainId', [], { ...targetOf(target), retry: false, timeoutMs: 5_000, signal })
    .catch((refusal: unknown) => refusal);
  return reported instanceof FlowgateError && reported.status >= 400 ? reported : error;
}
