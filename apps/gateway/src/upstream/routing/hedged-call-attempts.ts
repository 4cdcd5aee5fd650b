/** Sends a read to a second node if the first is slow. The first answer counts (contract/routing#hedging). */

import type { Deadline, TimerWheel } from '@flowgate/async/timer-wheel';
import type { BatchAnswer, CallTerms, NodeAnswer } from '../port/node-port.ts';
import {
  CallAttempts,
  type CallAttemptsDeps,
  type PoolMembers,
  type Reply,
  type Try,
  type Way,
} from './call-attempts.ts';
import type { HedgeBudget } from './hedge-budget.ts';

export type Hedging = {
  readonly budget: HedgeBudget;
  /** Milliseconds until a second node is asked; undefined if too few latencies are known. */
  readonly afterMs: (node: Try<unknown>['node'], methodClass: number) => number | undefined;
  /** Ticks must be short, because delays are milliseconds. */
  readonly timers: Pick<TimerWheel, 'arm' | 'disarm'>;
};

export class HedgedCallAttempts<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer> extends CallAttempts<
  Call,
  Answer
> {
  #deadline: Deadline | undefined;

  constructor(
    members: PoolMembers,
    deps: CallAttemptsDeps,
    way: Way<Call, Answer>,
    call: Call,
    private readonly hedging: Hedging,
  ) {
    super(members, deps, way, call);
  }

  /** Replaces `tryNext`. */
  ask(): Promise<Reply<Answer>> {
    this.hedging.budget.earn();
    const first = this.begin();
    if (first === undefined) return Promise.resolve(this.end());
    const answered = this.race(first);
    const afterMs = this.hedging.afterMs(first.node, this.methodClass);
    if (afterMs !== undefined) this.#deadline = this.hedging.timers.arm(afterMs, () => this.#hedge());
    return answered;
  }

  #hedge(): void {
    // A pending second try, after a failed first one, already is at another node.
    if (!this.isAnswered && this.pending === 1 && this.hasPeer() && this.hedging.budget.spend()) this.launch();
  }

  protected override answer(reply: Reply<Answer>): void {
    if (this.#deadline !== undefined) this.hedging.timers.disarm(this.#deadline);
    super.answer(reply);
  }
}
