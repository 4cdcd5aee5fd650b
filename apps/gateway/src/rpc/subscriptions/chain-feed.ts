/**
 * Reports new heads and logs of one network, or of one node, to all subscribers. All of them share one view of the
 * chain (contract/subscriptions#order).
 */

import { type LogsBloom, readBloom } from '@flowgate/chain/logs-bloom';
import { eachMember, skipBlank } from '@flowgate/json/valid-json';
import type { Block, ChainChange } from '../../upstream/heads/network-heads.ts';
import type { JsonText } from '../../upstream/port/node-port.ts';
import { Deliveries, type Delivery, reportsInATurn } from './deliveries.ts';
import type { ChainView, Feed, FeedDeps } from './feed.ts';
import { type FollowedBlock, LogLane } from './log-lane.ts';
import type { RunningSubscription } from './running-subscription.ts';

/** The maximum number of blocks that are stored when no node reports a final block. */
const maxBlocks = 1_024;

/** The maximum number of attempts to get a fresh head. */
const maxRefreshes = 3;

type HeadNotification = {
  /** The notification's result. */
  readonly bytes: Uint8Array;
  readonly bloom: LogsBloom | undefined;
};

/**
 * Members of blocks that headers lack (Geth's `types.Header`). Without them, callers receive the same header from nodes
 * that push headers and from nodes that are polled for blocks.
 */
const notOfHeaders: ReadonlySet<string> = new Set(['transactions', 'uncles', 'size', 'totalDifficulty', 'withdrawals']);
const { latin1Slice } = Buffer.prototype;
const comma = Buffer.from(',');

/** Makes the result of a `newHeads` notification from a node's header or block. `header`: valid JSON, an object. */
export function headNotification(header: JsonText): HeadNotification {
  const { bytes, start, end } = header;
  const members: Uint8Array[] = [];
  let bloom: LogsBloom | undefined;
  const at = skipBlank(bytes, start, end);
  eachMember(bytes, at, end, (nameAt, nameEnd, valueAt, valueEnd) => {
    const name = latin1Slice.call(bytes, nameAt + 1, nameEnd - 1);
    if (notOfHeaders.has(name)) return true;
    if (name === 'logsBloom') bloom = readBloom(latin1Slice.call(bytes, valueAt + 1, valueEnd - 1));
    if (members.length > 0) members.push(comma);
    members.push(bytes.subarray(nameAt, valueEnd));
    return true;
  });
  return { bytes: Buffer.concat([Buffer.from('{'), ...members, Buffer.from('}')]), bloom };
}

export class ChainFeed implements Feed {
  readonly #heads = new Set<RunningSubscription>();
  readonly #deliveries: Deliveries;
  readonly #lane: LogLane;
  /** The newest blocks of the chain, the oldest first. Each block is the parent of the next. */
  #blocks: FollowedBlock[] = [];
  #sequence = 0;
  #starting: Promise<boolean> | undefined;
  #unfollow: (() => void) | undefined;
  #isClosed = false;

  constructor(
    private readonly view: ChainView,
    deps: FeedDeps,
  ) {
    this.#deliveries = new Deliveries(deps.slices, () => this.#lose());
    this.#lane = new LogLane(view, deps, this.#deliveries);
  }

  start(): Promise<boolean> {
    this.#starting ??= this.#start();
    return this.#starting;
  }

  async #start(): Promise<boolean> {
    const { heads } = this.view;
    // After an old head, every block since then would be reported.
    for (let asked = 0; asked < maxRefreshes && !heads.isFresh(); asked++) await heads.refresh();
    const head = heads.head();
    if (head === undefined || this.#isClosed) return false;
    this.#blocks = [this.#follow(head, undefined)];
    this.#unfollow = heads.follow({
      changed: (change) => this.#changed(change),
      lost: () => this.#lose(),
    });
    return !this.#isClosed;
  }

  add(one: RunningSubscription): void {
    one.since = this.#sequence;
    if (one.filter === undefined) this.#heads.add(one);
    else this.#lane.add(one, one.filter, this.#blocks.at(-1));
  }

  remove(one: RunningSubscription): void {
    if (one.filter === undefined) this.#heads.delete(one);
    else this.#lane.remove(one, one.filter);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  close(): void {
    this.#isClosed = true;
    this.#unfollow?.();
    this.#deliveries.close();
    this.#lane.close();
  }

  #follow({ number, hash }: Block, bloom: LogsBloom | undefined): FollowedBlock {
    const sequence = this.#sequence;
    const goneAt = Number.POSITIVE_INFINITY;
    return { number, hash, bloom, sequence, goneAt, isReported: false, logs: undefined, reading: undefined };
  }

  #changed({ removed, added }: ChainChange): void {
    if (this.#isClosed) return;
    for (const block of removed) {
      const last = this.#blocks.pop();
      if (last !== undefined && last.hash !== block.hash) {
        this.#lose();
        return;
      }
      // The block is older than the first followed block, so it joined the chain before any subscription.
      const gone = last ?? { ...this.#follow(block, undefined), sequence: 0 };
      this.#sequence++;
      gone.goneAt = this.#sequence;
      this.#lane.removes(gone);
    }
    const deliveries: Delivery[] = [];
    for (const block of added) {
      const parent = this.#blocks.at(-1);
      if (parent !== undefined && parent.hash !== block.parentHash) {
        this.#lose();
        return;
      }
      this.#sequence++;
      const { bytes, bloom } = headNotification(block.header);
      const followed = this.#follow(block, bloom);
      this.#blocks.push(followed);
      this.#lane.adds(followed);
      deliveries.push(reportAll(this.#heads, bytes, followed.sequence));
    }
    // The lane reports removed logs before the heads of the following blocks, unless it waits for logs.
    this.#lane.advance();
    for (const delivery of deliveries) this.#deliveries.add(delivery);
    const head = added.at(-1);
    if (head !== undefined) this.view.heads.noteReported(head.number);
    this.#forget();
  }

  /** Removes blocks that are final or exceed `maxBlocks`. */
  #forget(): void {
    const final = this.view.heads.finalHeight() ?? 0;
    const firstNotFinal = this.#blocks.findIndex(({ number }) => number > final);
    const many = Math.max(firstNotFinal < 0 ? this.#blocks.length - 1 : firstNotFinal, this.#blocks.length - maxBlocks);
    for (const block of this.#blocks.splice(0, many)) this.#lane.forget(block);
  }

  #lose(): void {
    if (this.#isClosed) return;
    const all = [...this.#heads, ...this.#lane.members()];
    this.close();
    for (const one of all) one.lose();
  }
}

function* reportAll(all: Iterable<RunningSubscription>, result: Uint8Array, sequence: number): Delivery {
  let reported = 0;
  for (const one of all) {
    if (one.since >= sequence) continue;
    one.report(result);
    reported++;
    if (reported % reportsInATurn === 0) yield undefined;
  }
}
