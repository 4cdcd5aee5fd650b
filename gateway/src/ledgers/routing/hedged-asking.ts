/** A read that is sent to a second node when the first one takes its time: the first answer counts (contract/routing#hedging). */

import type { Deadline, TimerWheel } from '../../platform/timer-wheel.ts';
import type { BatchAnswer, CallTerms, NodeAnswer } from '../node-port.ts';
import type { TryReply } from '../node-transport.ts';
import {
  Asking,
  type AskingParts,
  errorAsFailure,
  type PoolMembers,
  type Reply,
  release,
  type Try,
  type Way,
} from './asking.ts';
import type { HedgeBudget } from './hedge-budget.ts';

export type Hedging = {
  readonly budget: HedgeBudget;
  /** Milliseconds after which a second node is asked; undefined when the times that decide it are unknown. */
  readonly afterMs: (node: Try<unknown>['node'], methodClass: number) => number | undefined;
  /** Its ticks must be short: it decides about milliseconds. */
  readonly timers: Pick<TimerWheel, 'arm' | 'disarm'>;
};

export class HedgedAsking<Call extends CallTerms, Answer extends NodeAnswer | BatchAnswer> extends Asking<
  Call,
  Answer
> {
  #resolve: (reply: Reply<Answer>) => void = () => {};
  #isAnswered = false;
  /** Tries that have no outcome yet: two at most. */
  #pending = 0;
  #deadline: Deadline | undefined;

  constructor(
    members: PoolMembers,
    parts: AskingParts,
    way: Way<Call, Answer>,
    call: Call,
    private readonly hedging: Hedging,
  ) {
    super(members, parts, way, call);
  }

  /** Instead of `tryNext`. */
  ask(): Promise<Reply<Answer>> {
    this.hedging.budget.earn();
    return new Promise((resolve) => {
      this.#resolve = resolve;
      const first = this.#launch();
      const afterMs = first && this.hedging.afterMs(first.node, this.methodClass);
      if (first === undefined) this.#answer(this.end());
      if (afterMs !== undefined) this.#deadline = this.hedging.timers.arm(afterMs, () => this.#hedge());
    });
  }

  #hedge(): void {
    // While its second try is under way, a call that failed once already has another node.
    if (!this.#isAnswered && this.#pending === 1 && this.hasPeer() && this.hedging.budget.spend()) this.#launch();
  }

  #launch(): Try<Answer> | undefined {
    const one = this.begin();
    if (one === undefined) return undefined;
    this.#pending++;
    void one.reply.then((reply) => this.#land(one, reply));
    return one;
  }

  #land(one: Try<Answer>, reply: TryReply<Answer>): void {
    this.#pending--;
    if (this.#isAnswered) {
      this.note(one, errorAsFailure(reply), one.node.isOut());
      if (reply.ok) release(reply.answer);
      return;
    }
    const verdict = this.judge(one, reply);
    // After a failure the other node may still answer.
    const isFinal = (verdict?.ok === true && reply.ok) || this.#pending === 0;
    if (!isFinal) return;
    if (verdict !== undefined) this.#answer(verdict);
    else if (this.#launch() === undefined) this.#answer(this.end());
  }

  #answer(reply: Reply<Answer>): void {
    this.#isAnswered = true;
    if (this.#deadline !== undefined) this.hedging.timers.disarm(this.#deadline);
    this.#resolve(reply);
  }
}
