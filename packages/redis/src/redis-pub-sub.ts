/** Pub/sub between gateways over Redis. Each gateway numbers its messages, so that the others detect lost ones. */

import type { PubSub, PubSubPayload } from '@flowgate/async/pub-sub';
import { createTopicHandlers } from '@flowgate/async/pub-sub';
import { isJsonObject } from '@flowgate/json/json-object';
import { RedisLink, type RedisOptions } from './redis-link.ts';
import type { RedisSession } from './redis-session.ts';

export type RedisPubSubOptions = RedisOptions & {
  /** Names this process; random, new with each start. */
  readonly nodeId: string;
  /**
   * The prefix of the channel's name. Pub/sub ignores database numbers, so installations on one Redis must differ in
   * it.
   */
  readonly namespace?: string;
  /** How often this gateway publishes a heartbeat. The others detect a lost message after this time at most. */
  readonly heartbeatMs?: number;
};

export type RedisPubSub = PubSub & {
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly tried: Promise<void>;
  /** Like `AdmissionStore.epoch`: 0 while unavailable. */
  readonly epoch: () => number;
  readonly close: () => void;
};

type Envelope = {
  readonly node: string;
  readonly number: number;
  readonly topic: string;
  readonly payload: unknown;
  /**
   * An earlier message of this gateway may not have been delivered. Set on every message until Redis has accepted one
   * with it.
   */
  readonly lost?: true;
};

const heartbeatTopic = 'heartbeat';
/** A gateway that is silent for this many heartbeats is forgotten. */
const forgottenAfterBeats = 600;
/** Every gateway that was present before a subscription is heard within this many heartbeats after it. */
const settlingBeats = 2;

export function createRedisPubSub(options: RedisPubSubOptions): RedisPubSub {
  const { nodeId, namespace = 'flowgate', heartbeatMs = 1_000 } = options;
  // Gateways of earlier releases use this channel: during an upgrade both versions exchange messages.
  const channel = `${namespace}:news`;
  const handlers = createTopicHandlers();
  const peers = new Map<string, { number: number; heardAtBeat: number }>();
  let published = 0;
  /** Messages that may not have been delivered, and how many of them were reported to the others. */
  let lost = 0;
  let reportedLost = 0;
  let beat = 0;
  let subscribedAtBeat = 0;
  let echoed = 0;
  /** The heartbeat that must come back before the next one. */
  let awaited: { readonly session: RedisSession; readonly number: number } | undefined;

  function receive(text: string): void {
    const envelope = envelopeOf(text);
    if (envelope === undefined) return;
    const { node, number, topic, payload } = envelope;
    if (node === nodeId) {
      echoed = number;
      return;
    }
    const last = peers.get(node)?.number;
    if (last !== undefined && number <= last) return;
    peers.set(node, { number, heardAtBeat: beat });
    // The gap that was reported at this subscription covers earlier messages of a gateway. Only the gateway itself can
    // report messages that it could not send since. A gateway that appears later must begin with 1.
    const expected = (last ?? 0) + 1;
    const skipped = number > expected && !(last === undefined && beat - subscribedAtBeat <= settlingBeats);
    if (skipped || envelope.lost === true) handlers.reportGap();
    handlers.deliver(topic, payload);
  }

  const link = new RedisLink({
    ...options,
    purpose: 'pub/sub',
    async prove(session) {
      peers.clear();
      subscribedAtBeat = beat;
      await session.subscribe(channel, receive);
      handlers.reportGap();
      await send(session, heartbeatTopic, {});
    },
  });

  async function send(session: RedisSession | undefined, topic: string, payload: PubSubPayload): Promise<void> {
    // Counted even when it cannot be sent, so that the others detect the gap.
    published += 1;
    const losing = topic === heartbeatTopic ? 0 : 1;
    if (session === undefined) {
      lost += losing;
      return;
    }
    const delivery = lost;
    const envelope: Envelope = {
      ...{ node: nodeId, number: published, topic, payload },
      ...(delivery > reportedLost ? { lost: true } : {}),
    };
    try {
      await session.send('PUBLISH', [channel, JSON.stringify(envelope)], () => undefined);
      reportedLost = Math.max(reportedLost, delivery);
    } catch (error) {
      lost += losing;
      throw error;
    }
  }

  const sayHeartbeat = () => {
    beat += 1;
    for (const [node, { heardAtBeat }] of peers) if (beat - heardAtBeat > forgottenAfterBeats) peers.delete(node);
    const { session } = link;
    if (session === undefined) return;
    if (awaited?.session === session && echoed < awaited.number) {
      session.close('its own heartbeat did not come back');
      return;
    }
    void send(session, heartbeatTopic, {}).catch(() => undefined);
    awaited = { session, number: published };
  };
  const timer = setInterval(sayHeartbeat, heartbeatMs);
  timer.unref();

  return {
    tried: link.tried,
    epoch: () => link.epoch,
    publish(topic, payload) {
      void send(link.session, topic, payload).catch(() => undefined);
    },
    subscribe: handlers.subscribe,
    onGap: handlers.onGap,
    close() {
      clearInterval(timer);
      link.close();
    },
  };
}

/** Undefined for texts that no gateway has written: any client with access to Redis can publish. */
function envelopeOf(text: string): Envelope | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value) || !('payload' in value)) return undefined;
  const { node, number, topic, payload, lost } = value;
  if (typeof node !== 'string' || typeof number !== 'number' || typeof topic !== 'string') return undefined;
  return { node, number, topic, payload, ...(lost === true ? { lost } : {}) };
}
