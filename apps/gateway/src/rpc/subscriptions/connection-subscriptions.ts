/**
 * The subscriptions of one connection: their maximum number, `eth_subscribe`, `eth_unsubscribe`, and their end with the
 * connection (contract/websocket#subscriptions).
 */

import type { ByteContent } from '@flowgate/bytes/byte-content';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { ByteWriter } from '@flowgate/bytes/byte-writer';
import type { JsonText, NodeCaller, NodeReply, TextAnswer } from '../../upstream/port/node-port.ts';
import type { RpcTarget } from '../target.ts';
import type { Subscription, Subscriptions } from './subscriptions.ts';

export const maxSubscriptions = 100;
/** In bytes. The parameters of `eth_unsubscribe` are a single id. */
const maxUnsubscribeLength = 256;

export type SubscribingConnection = {
  /** The caller of the subscriptions. Its signal is aborted when the connection ends. */
  readonly caller: NodeCaller;
  readonly notify: (notification: ByteContent) => void;
  /** Called when the next notification would leave a gap, or when the caller may no longer subscribe. */
  readonly lost: () => void;
  /** Whether the caller may still subscribe at this target. */
  readonly isPermitted: (target: RpcTarget) => boolean | Promise<boolean>;
};

const errorOf = (code: number, message: string): NodeReply<TextAnswer> => ({
  ok: true,
  nodeId: '',
  answer: { kind: 'error', raw: rangeOf(JSON.stringify({ code, message })) },
  attempts: 0,
});
const resultOf = (result: string | boolean): NodeReply<TextAnswer> => ({
  ok: true,
  nodeId: '',
  answer: { kind: 'result', raw: rangeOf(JSON.stringify(result)) },
  attempts: 0,
});
const tooMany = errorOf(-32005, `Too many subscriptions: a connection has at most ${maxSubscriptions}.`);
const badId = errorOf(-32602, 'Invalid params: eth_unsubscribe takes the id of a subscription.');
/** The message of Ethereum's nodes. */
const unknownId = errorOf(-32000, 'subscription not found');
const over = errorOf(-32000, 'The connection is closed.');

const end = Buffer.from('}}');

/**
 * Makes notifications of the subscription `id`. The start of a notification is written once for all of them, and
 * subscribers share the result. The returned function takes the JSON text of a result.
 */
function notificationsOf(id: string): (result: Uint8Array) => ByteContent {
  const start = Buffer.from(
    `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${JSON.stringify(id)},"result":`,
  );
  return (result) => new Notification(start, result);
}

class Notification implements ByteContent {
  constructor(
    private readonly start: Uint8Array,
    private readonly result: Uint8Array,
  ) {}

  get length(): number {
    return this.start.length + this.result.length + end.length;
  }

  writeTo(writer: ByteWriter): void {
    writer.put(this.start);
    writer.put(this.result);
    writer.put(end);
  }
}

export class ConnectionSubscriptions {
  readonly #open = new Map<string, Subscription>();
  /** Subscriptions whose id was not sent yet, by the message that requested them. */
  readonly #untold = new Map<NodeCaller, Subscription[]>();
  #beingMade = 0;
  #isOver = false;

  constructor(
    private readonly subscriptions: Pick<Subscriptions, 'subscribe'>,
    private readonly connection: SubscribingConnection,
  ) {}

  /** `asker`: the message that requested the subscription. */
  async subscribe(target: RpcTarget, params: JsonText | undefined, asker: NodeCaller): Promise<NodeReply<TextAnswer>> {
    if (this.#open.size + this.#beingMade >= maxSubscriptions) return tooMany;
    const { connection } = this;
    let notification: ReturnType<typeof notificationsOf> | undefined;
    this.#beingMade += 1;
    const made = await this.subscriptions
      .subscribe(target, params, connection.caller, {
        notify: (result) => {
          if (notification !== undefined) connection.notify(notification(result));
        },
        lost: connection.lost,
        isPermitted: () => connection.isPermitted(target),
      })
      .finally(() => {
        this.#beingMade -= 1;
      });
    if (!made.ok) return errorOf(made.code, made.message);
    if (this.#isOver) {
      made.cancel();
      return over;
    }
    notification = notificationsOf(made.id);
    this.#open.set(made.id, made);
    const untold = this.#untold.get(asker);
    if (untold === undefined) this.#untold.set(asker, [made]);
    else untold.push(made);
    return resultOf(made.id);
  }

  unsubscribe(params: JsonText | undefined): NodeReply<TextAnswer> {
    const id = onlyText(params);
    if (id === undefined) return badId;
    const subscription = this.#open.get(id);
    if (subscription === undefined) return unknownId;
    this.#open.delete(id);
    subscription.cancel();
    return resultOf(true);
  }

  /** The answer to this message is being sent, so the subscriptions that it requested begin. */
  reported(asker: NodeCaller): void {
    const untold = this.#untold.get(asker);
    if (untold === undefined) return;
    this.#untold.delete(asker);
    for (const subscription of untold) if (this.#open.has(subscription.id)) subscription.begin();
  }

  /** Ends all subscriptions, because the connection has ended. */
  close(): void {
    this.#isOver = true;
    for (const subscription of this.#open.values()) subscription.cancel();
    this.#open.clear();
    this.#untold.clear();
  }
}

function onlyText(params: JsonText | undefined): string | undefined {
  if (params === undefined || params.length > maxUnsubscribeLength) return undefined;
  const read: unknown = JSON.parse(params.text());
  const only: unknown = Array.isArray(read) && read.length === 1 ? read[0] : undefined;
  return typeof only === 'string' ? only : undefined;
}
