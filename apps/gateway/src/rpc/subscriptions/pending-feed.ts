/**
 * Reports the hashes of pending transactions, each once. The source is one node that pushes them, or the next such node
 * when it is lost, or else a filter of any node.
 */

import type { Deadline } from '@flowgate/async/timer-wheel';
import { rangeOf } from '@flowgate/bytes/byte-range';
import type { JsonText, NodeAnswer, NodeReply } from '../../upstream/port/node-port.ts';
import { Deliveries, type Delivery, reportsInATurn } from './deliveries.ts';
import type { ChainView, Feed, FeedDeps } from './feed.ts';
import type { RunningSubscription } from './running-subscription.ts';

/** The time between two reads of a filter, and before another node is tried. */
const everyMs = 1_000;
/** The number of stored hashes that prevents duplicate reports. At most twice as many are stored. */
const maxRemembered = 32_768;
/** The maximum number of hashes that are reported from one read of a filter. */
const maxReported = 10_000;
const hashForm = /^"0x[0-9a-fA-F]{64}"$/;

export class PendingFeed implements Feed {
  readonly #all = new Set<RunningSubscription>();
  readonly #deliveries: Deliveries;
  #recent = new Set<string>();
  #older: ReadonlySet<string> = new Set();
  #starting: Promise<boolean> | undefined;
  #end: (() => void) | undefined;
  #next: Deadline | undefined;
  /** The number of attempts, which selects the next node in turn. */
  #tries = 0;
  isClosed = false;

  constructor(
    private readonly view: ChainView,
    private readonly deps: FeedDeps,
  ) {
    this.#deliveries = new Deliveries(deps.slices, () => this.#lose());
  }

  /** True even when no node reports transactions yet: reports begin as soon as a node does. */
  start(): Promise<boolean> {
    this.#starting ??= this.#follow().then(() => !this.isClosed);
    return this.#starting;
  }

  add(one: RunningSubscription): void {
    this.#all.add(one);
  }

  remove(one: RunningSubscription): void {
    this.#all.delete(one);
  }

  close(): void {
    this.isClosed = true;
    this.#end?.();
    this.#deliveries.close();
    if (this.#next !== undefined) this.deps.timerWheel.disarm(this.#next);
  }

  /** Follows one node at a time, in turn. When no node pushes transactions, uses the filter of any node. */
  async #follow(): Promise<void> {
    const feeds = this.view.feeds();
    for (let tried = 0; tried < feeds.length && !this.isClosed; tried++) {
      const feed = feeds[this.#tries++ % feeds.length];
      const end = await feed?.subscribe('newPendingTransactions', {
        notified: (result) => this.#report(result),
        lost: () => {
          this.#end = undefined;
          this.#later(() => void this.#follow());
        },
      });
      if (end === undefined) continue;
      if (this.isClosed) end();
      else this.#end = end;
      return;
    }
    await this.#filter();
  }

  async #filter(): Promise<void> {
    const opened = await this.#ask('eth_newPendingTransactionFilter', '[]', undefined);
    const id = textOf(opened);
    if (!opened.ok || id === undefined || !/^"[^"\\]{1,128}"$/.test(id)) {
      this.#later(() => void this.#follow());
      return;
    }
    this.#later(() => void this.#poll(id, opened.nodeId));
  }

  async #poll(id: string, nodeId: string): Promise<void> {
    const reply = await this.#ask('eth_getFilterChanges', `[${id}]`, nodeId);
    const changes = textOf(reply);
    const hashes: unknown = changes === undefined ? undefined : JSON.parse(changes);
    if (!Array.isArray(hashes) || this.view.feeds().length > 0) {
      this.#later(() => void this.#follow());
      return;
    }
    for (const hash of hashes.slice(0, maxReported)) this.#report(rangeOf(JSON.stringify(hash)));
    this.#later(() => void this.#poll(id, nodeId));
  }

  #ask(method: string, params: string, onlyNode: string | undefined): Promise<NodeReply<NodeAnswer>> {
    return this.view.nodes.send({
      method,
      params: rangeOf(params),
      repeatable: true,
      timeoutMs: 5 * everyMs,
      onlyNode,
    });
  }

  #report(result: JsonText): void {
    const hash = result.length === 68 ? result.text().toLowerCase() : '';
    if (this.isClosed || !hashForm.test(hash) || this.#recent.has(hash) || this.#older.has(hash)) return;
    this.#recent.add(hash);
    if (this.#recent.size >= maxRemembered) {
      this.#older = this.#recent;
      this.#recent = new Set();
    }
    this.#deliveries.add(reportAll([...this.#all], Buffer.from(hash)));
  }

  #later(run: () => void): void {
    if (!this.isClosed) this.#next = this.deps.timerWheel.arm(everyMs, run);
  }

  #lose(): void {
    const all = [...this.#all];
    this.close();
    for (const one of all) one.lose();
  }
}

/** The text of the result. Undefined for a failure, an error and a very large result. */
function textOf(reply: NodeReply<NodeAnswer>): string | undefined {
  if (reply.ok && reply.answer.kind === 'buffered') reply.answer.release();
  return reply.ok && reply.answer.kind === 'result' && reply.answer.raw.length < 72 * maxReported
    ? reply.answer.raw.text()
    : undefined;
}

function* reportAll(all: readonly RunningSubscription[], result: Uint8Array): Delivery {
  let reported = 0;
  for (const one of all) {
    one.report(result);
    reported++;
    if (reported % reportsInATurn === 0) yield undefined;
  }
}
