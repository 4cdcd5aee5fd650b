/** A live subscription: bounded, reconnects after disconnects, runs until stopped. */

import { useCallback, useEffect, useRef, useState } from 'react';
import { fileLoader } from '../../frame/page-files.ts';
import type { CallTarget } from './planned-call.ts';

const loadTransport = fileLoader(() => import('@flowgate/client/viem'));

export type FeedEvent = { readonly id: number; readonly at: string; readonly value: unknown };

export type FeedState = {
  readonly kind: 'idle' | 'starting' | 'live';
  /** Newest first. */
  readonly events: readonly FeedEvent[];
  /** Includes events that are no longer stored. */
  readonly total: number;
  /** Number of disconnects; events during a disconnect are missing. */
  readonly gaps: number;
  readonly error: unknown;
};

export type FeedQuestion = {
  readonly target: CallTarget;
  readonly params: readonly unknown[];
  readonly apiKey: string;
};

const maxEvents = 100;
/** Minimum interval between renders. */
const drawMs = 250;
const idle: FeedState = { kind: 'idle', events: [], total: 0, gaps: 0, error: undefined };

export type LiveFeed = FeedState & {
  readonly start: (question: FeedQuestion) => void;
  readonly stop: () => void;
};

export function useLiveFeed(): LiveFeed {
  const [state, setState] = useState<FeedState>(idle);
  const close = useRef<() => void>(undefined);
  const stop = useCallback(() => {
    close.current?.();
    close.current = undefined;
    setState((before) => ({ ...before, kind: 'idle' }));
  }, []);
  const start = useCallback((question: FeedQuestion) => {
    close.current?.();
    setState({ ...idle, kind: 'starting' });
    close.current = follow(question, setState);
  }, []);
  useEffect(() => () => close.current?.(), []);
  return { ...state, start, stop };
}

type Change = (change: (before: FeedState) => FeedState) => void;

/** Returns a function that stops the feed. */
function follow({ target, params, apiKey }: FeedQuestion, change: Change): () => void {
  let isOver = false;
  let ends = () => {};
  let waiting: FeedEvent[] = [];
  let total = 0;
  const draw = () => {
    if (waiting.length === 0) return;
    const fresh = waiting;
    waiting = [];
    change((before) => ({ ...before, total, events: [...fresh, ...before.events].slice(0, maxEvents) }));
  };
  const timer = setInterval(draw, drawMs);
  const over = (error?: unknown) => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    draw();
    ends();
    if (error !== undefined) change((before) => ({ ...before, kind: 'idle', error }));
  };
  const begin = async () => {
    const { flowgate } = await loadTransport();
    if (isOver) return;
    const { dlt, networkId, nodeId } = target;
    const of = nodeId === undefined ? { network: { dlt, networkId } } : { node: { dlt, nodeId } };
    const transport = flowgate({
      ...{ url: location.origin, apiKey, webSocket: true, ...of },
      onGap: () => change((before) => ({ ...before, gaps: before.gaps + 1 })),
    })({});
    const { value } = transport;
    if (value === undefined) throw new Error('There is no WebSocket connection to subscribe over.');
    ends = () => value.close();
    await value.subscribe({
      params,
      onData({ result }) {
        total += 1;
        waiting = [{ id: total, at: new Date().toISOString(), value: result }, ...waiting].slice(0, maxEvents);
      },
      onError: over,
    });
    if (isOver) value.close();
    else change((before) => ({ ...before, kind: 'live' }));
  };
  begin().catch(over);
  return () => over();
}
