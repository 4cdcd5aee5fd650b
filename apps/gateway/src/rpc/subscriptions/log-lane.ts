/**
 * Reports the logs of blocks that join a chain, and the logs of lost blocks as removed, in order. A block's logs are
 * read once for all subscribers (docs/decisions/0099). This file is long because one place decides which logs are
 * reported.
 */

import { runInSlices } from '@flowgate/async/time-slices';
import { isEmptyBloom, type LogsBloom } from '@flowgate/chain/logs-bloom';
import { type BlockLogs, presentLog, removedLog } from './block-logs.ts';
import { type Deliveries, type Delivery, reportsInATurn } from './deliveries.ts';
import type { ChainView, FeedDeps } from './feed.ts';
import { FilterIndex } from './filter-index.ts';
import type { LogFilter } from './log-filter.ts';
import { type CheckedLogs, type LogReaderDeps, readLogs } from './read-logs.ts';
import type { RunningSubscription } from './running-subscription.ts';

export type FollowedBlock = {
  readonly number: number;
  readonly hash: string;
  /** Undefined when the bloom is unknown. */
  readonly bloom: LogsBloom | undefined;
  /**
   * The number of the change that added the block to the chain. Changes are counted from the start of the feed; 0 for
   * the blocks at the start.
   */
  readonly sequence: number;
  /** The number of the change that removed the block from the chain; infinite until then. */
  goneAt: number;
  /** Whether its logs were reported to all earlier subscribers. */
  isReported: boolean;
  /** The logs of the block, as long as the budget allows. */
  logs: BlockLogs | undefined;
  reading: Promise<CheckedLogs | undefined> | undefined;
};

type Step = { readonly what: 'adds' | 'removes'; readonly block: FollowedBlock };

/** The time to read the logs of a new block. After this delay, subscribers do better to start again. */
const readWithinMs = 30_000;
/** The time to read the logs of a lost block. Over time, fewer and fewer nodes have them. */
const readLostWithinMs = 3_000;
/** The number of blocks whose logs are read concurrently when many blocks join. */
const readAhead = 4;
/** Bytes that are charged to the budget for each byte of logs. They include the parsed members. */
const rememberedFactor = 2;
/**
 * The maximum number of addresses, or of topics of one position, that are compared with a bloom. One of a larger set is
 * nearly always in the bloom.
 */
const maxLookedUp = 32;
const noLogs: CheckedLogs = { bytes: new Uint8Array(0), logs: [], isBeyondBloom: false };

export class LogLane {
  readonly #filters = new FilterIndex<RunningSubscription>();
  readonly #reader: LogReaderDeps;
  readonly #steps: Step[] = [];
  /** Blocks whose logs are stored, the oldest first. */
  readonly #remembered = new Set<FollowedBlock>();
  readonly #wake = new Set<() => void>();
  #isWorking = false;
  #isClosed = false;
  /**
   * The state of blooms. `unseen`: no bloom with bits was seen. `right`: an empty bloom means that the block has no
   * logs. `partial`: a log was missing in its bloom, so an empty bloom proves nothing. `wrong`: blooms are not used.
   */
  #blooms: 'unseen' | 'right' | 'partial' | 'wrong' = 'unseen';

  constructor(
    private readonly view: ChainView,
    private readonly deps: FeedDeps,
    private readonly deliveries: Deliveries,
  ) {
    const { slices, clock, bits } = deps;
    this.#reader = { nodes: view.nodes, slices, clock, bits, pause: (ms) => this.#pause(ms) };
    if (!view.settings.logsBloom) this.#blooms = 'wrong';
  }

  /** `head`: the newest block when the subscription begins; later blocks are reported to it. */
  add(one: RunningSubscription, filter: LogFilter, head: FollowedBlock | undefined): void {
    this.#filters.add(filter, one);
    if (this.#filters.size === 1 && head !== undefined) void this.#cover(head);
  }

  remove(one: RunningSubscription, filter: LogFilter): void {
    this.#filters.remove(filter, one);
  }

  members(): readonly RunningSubscription[] {
    return [...this.#filters.groups].flatMap(({ members }) => [...members]);
  }

  adds(block: FollowedBlock): void {
    this.#steps.push({ what: 'adds', block });
  }

  removes(block: FollowedBlock): void {
    this.#steps.push({ what: 'removes', block });
  }

  /** Executes the queued steps in order. A step that needs logs waits until they are read. */
  advance(): void {
    if (!this.#isWorking) void this.#work();
  }

  forget(block: FollowedBlock): void {
    if (!this.#remembered.delete(block)) return;
    this.deps.budget.giveBack(this.view.name, chargeOf(block.logs));
    block.logs = undefined;
  }

  close(): void {
    this.#isClosed = true;
    this.#steps.length = 0;
    for (const block of [...this.#remembered]) this.forget(block);
    for (const wake of [...this.#wake]) wake();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let step = this.#steps[0]; step !== undefined; step = this.#steps[0]) {
      try {
        const waits = this.#filters.size === 0 ? undefined : this.#take(step);
        if (waits !== undefined) await waits;
      } catch {
        // A bug in the gateway: the next reports would leave a gap.
        this.#loseAll(this.members());
      }
      // After `close`, the queue is already empty.
      this.#steps.shift();
      if (step.what === 'removes') this.forget(step.block);
    }
    this.#isWorking = false;
  }

  /** Undefined when the step is complete. */
  #take({ what, block }: Step): Promise<void> | undefined {
    if (what === 'adds') return isGone(block) ? undefined : this.#reportAdded(block);
    const logs = block.logs ?? (this.#isEmpty(block) ? noLogs : undefined);
    if (logs === undefined) return this.#reportLost(block);
    this.deliveries.add(this.#reportRemoved(block, logs));
    return undefined;
  }

  #reportAdded(block: FollowedBlock): Promise<void> | undefined {
    this.#noteBloom(block);
    if (this.#isEmpty(block)) {
      block.isReported = true;
      return undefined;
    }
    for (const { what, block: next } of this.#steps.slice(0, readAhead))
      if (what === 'adds' && !isGone(next) && !this.#isEmpty(next)) next.reading ??= this.#read(next);
    return (block.reading ?? this.#read(block)).then((logs) => {
      block.reading = undefined;
      if (isGone(block) || this.#isClosed) return;
      if (logs === undefined) return this.#loseAll(this.members());
      if (logs.isBeyondBloom && this.#blooms !== 'wrong') this.#blooms = 'partial';
      block.isReported = true;
      this.#remember(block, logs);
      this.deliveries.add(this.#reportPresent(block, logs));
    });
  }

  #read(block: FollowedBlock): Promise<CheckedLogs | undefined> {
    const bloom = this.#blooms === 'wrong' ? undefined : block.bloom;
    const isWanted = () => this.#isOpen && !isGone(block);
    return readLogs(this.#reader, { ...block, bloom }, readWithinMs, isWanted).catch(() => undefined);
  }

  /**
   * Reports a lost block whose logs are not stored. When no node has the logs, all subscribers that they may concern
   * are lost.
   */
  async #reportLost(block: FollowedBlock): Promise<void> {
    const concerned = await runInSlices(this.deps.slices, this.#concernedBy(block));
    if (concerned.length === 0) return;
    const logs = await readLogs(this.#reader, block, readLostWithinMs, () => this.#isOpen).catch(() => undefined);
    if (this.#isClosed) return;
    if (logs === undefined) this.#loseAll(concerned);
    else this.deliveries.add(this.#reportRemoved(block, logs));
  }

  *#concernedBy(block: FollowedBlock): Generator<undefined, readonly RunningSubscription[]> {
    const bloom = this.#blooms === 'right' ? block.bloom : undefined;
    const { bits } = this.deps;
    const concerned: RunningSubscription[] = [];
    for (const { filter, members } of this.#filters.groups) {
      let mayMatch = true;
      for (const wanted of [filter.addresses, ...filter.topics]) {
        if (bloom === undefined || wanted === undefined || wanted.size > maxLookedUp) continue;
        if (!wanted.values().some((value) => bits.has(bloom, value))) mayMatch = false;
        yield undefined;
      }
      if (mayMatch) for (const one of members) if (isReportedRemoved(one, block)) concerned.push(one);
      yield undefined;
    }
    return concerned;
  }

  /** Stores the head's logs for the case that the head is lost. Most lost blocks were the newest block. */
  async #cover(head: FollowedBlock): Promise<void> {
    if (head.logs !== undefined || head.isReported || this.#isEmpty(head)) return;
    const isWanted = () => this.#isOpen && !isGone(head);
    const logs = await readLogs(this.#reader, head, readLostWithinMs, isWanted).catch(() => undefined);
    if (logs !== undefined && !this.#isClosed && !isGone(head) && head.logs === undefined) this.#remember(head, logs);
  }

  get #isOpen(): boolean {
    return !this.#isClosed && this.#filters.size > 0;
  }

  #noteBloom({ bloom }: FollowedBlock): void {
    if (this.#blooms === 'unseen' && bloom !== undefined && !isEmptyBloom(bloom)) this.#blooms = 'right';
  }

  #isEmpty({ bloom }: FollowedBlock): boolean {
    return this.#blooms === 'right' && bloom !== undefined && isEmptyBloom(bloom);
  }

  /** Forgets the logs of older blocks when the budget is exhausted. */
  #remember(block: FollowedBlock, logs: BlockLogs): void {
    const { budget } = this.deps;
    const charge = chargeOf(logs);
    while (budget.take(this.view.name, charge) !== 'granted') {
      const [oldest] = this.#remembered;
      if (oldest === undefined) return;
      this.forget(oldest);
    }
    block.logs = logs;
    this.#remembered.add(block);
  }

  *#reportPresent(block: FollowedBlock, { bytes, logs }: BlockLogs): Delivery {
    let worked = 0;
    for (const log of logs) {
      const groups = this.#filters.matching(log);
      const result = groups.length === 0 ? bytes : presentLog(bytes, log);
      for (const { members } of groups)
        for (const one of members) {
          if (one.since < block.sequence) one.report(result);
          if (++worked % reportsInATurn === 0) yield undefined;
        }
      if (++worked % reportsInATurn === 0) yield undefined;
    }
  }

  *#reportRemoved(block: FollowedBlock, { bytes, logs }: BlockLogs): Delivery {
    let worked = 0;
    for (const log of logs.toReversed()) {
      const groups = this.#filters.matching(log);
      const result = groups.length === 0 ? bytes : removedLog(bytes, log);
      for (const { members } of groups)
        for (const one of members) {
          if (isReportedRemoved(one, block)) one.report(result);
          if (++worked % reportsInATurn === 0) yield undefined;
        }
      if (++worked % reportsInATurn === 0) yield undefined;
    }
  }

  #loseAll(all: readonly RunningSubscription[]): void {
    for (const one of all) one.lose();
  }

  #pause(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { timerWheel } = this.deps;
    const deadline = timerWheel.arm(ms, () => end());
    const end = () => {
      timerWheel.disarm(deadline);
      this.#wake.delete(end);
      resolve();
    };
    this.#wake.add(end);
    return promise;
  }
}

/**
 * Nodes report removed logs to all matching subscribers, also to those that subscribed while the block was part of the
 * chain.
 */
function isReportedRemoved({ since }: RunningSubscription, { sequence, goneAt, isReported }: FollowedBlock): boolean {
  return since < goneAt && (isReported || since >= sequence);
}

function isGone({ goneAt }: FollowedBlock): boolean {
  return goneAt !== Number.POSITIVE_INFINITY;
}

function chargeOf(logs: BlockLogs | undefined): number {
  return (logs?.bytes.length ?? 0) * rememberedFactor;
}
