/**
 * Reports whether the nodes are syncing. The nodes are polled once for all subscribers, and a change is reported in
 * Geth's form.
 */

import type { Deadline } from '@flowgate/async/timer-wheel';
import { eachMember } from '@flowgate/json/valid-json';
import type { JsonText } from '../../upstream/port/node-port.ts';
import type { ChainView, Feed, FeedDeps } from './feed.ts';
import type { RunningSubscription } from './running-subscription.ts';

const everyMs = 10_000;
/** In bytes. Nodes answer with an object of a few numbers. */
const maxBytes = 4_096;

export class SyncingFeed implements Feed {
  readonly #all = new Set<RunningSubscription>();
  #state: Uint8Array | undefined;
  #starting: Promise<boolean> | undefined;
  #next: Deadline | undefined;
  isClosed = false;

  constructor(
    private readonly view: ChainView,
    private readonly deps: FeedDeps,
  ) {}

  start(): Promise<boolean> {
    this.#starting ??= this.#ask();
    return this.#starting;
  }

  /** A new subscriber receives the current state first. */
  add(one: RunningSubscription): void {
    this.#all.add(one);
    if (this.#state !== undefined) one.report(this.#state);
  }

  remove(one: RunningSubscription): void {
    this.#all.delete(one);
  }

  close(): void {
    this.isClosed = true;
    if (this.#next !== undefined) this.deps.timerWheel.disarm(this.#next);
  }

  async #ask(): Promise<boolean> {
    const reply = await this.view.nodes.send({
      method: 'eth_syncing',
      params: undefined,
      repeatable: true,
      timeoutMs: everyMs,
    });
    const state = reply.ok && reply.answer.kind === 'result' ? stateOf(reply.answer.raw) : undefined;
    if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
    if (this.isClosed) return false;
    if (state !== undefined && (this.#state === undefined || Buffer.compare(state, this.#state) !== 0)) {
      this.#state = state;
      for (const one of this.#all) one.report(state);
    }
    this.#next = this.deps.timerWheel.arm(everyMs, () => void this.#ask());
    return this.#state !== undefined;
  }
}

/** `false`, or the node's object in the form of Geth's notifications. Undefined for any other result. */
function stateOf({ bytes, start, end }: JsonText): Uint8Array | undefined {
  if (end - start > maxBytes) return undefined;
  const given = Buffer.from(bytes.subarray(start, end));
  if (given.toString('latin1') === 'false') return given;
  if (!eachMember(given, 0, given.length, () => true)) return undefined;
  return Buffer.concat([Buffer.from('{"syncing":true,"status":'), given, Buffer.from('}')]);
}
