/** The pipelines of one HTTP/1.1 client: which one carries a call, and when pipelines are opened or stopped (docs/decisions/0067). */
import type { Pipelining } from '../http1-call.ts';
import type { Exchange } from '../http1-exchange.ts';
import type { Http1Origin } from '../http1-origin.ts';
import { hasShare } from '../http1-shares.ts';
import { Http1Pipeline, type PipelineEnd, type PipelineOwner } from './http1-pipeline.ts';

/** The most calls in flight on one connection. All but one of them may have to wait for a slow one. */
export const maxPipelined = 16;
export const maxPipelines = 8;
/** Connections reserved for each pipeline: one that waits for a slow call is replaced. */
export const connectionsFor = 2;
/** In bytes. Longer content would delay the calls behind it. */
const maxContentLength = 16_384;
/** A pipeline that the server closed after fewer answers counts against pipelining with this server. */
const fewAnswers = 16;
const maxCutsInARow = 3;
const redialMs = 1_000;
/** The interval between checks for slow pipelines. A pipeline is slow when its oldest call has been in flight for one to two intervals. */
const lookMs = 100;
/** How long a server that does not pipeline gets one request at a time. */
const offMs = 600_000;

export class Http1Pipelines implements PipelineOwner {
  readonly #all = new Set<Http1Pipeline>();
  /** The pipelines that accept calls. */
  readonly #open: Http1Pipeline[] = [];
  #dialing: Http1Pipeline | undefined;
  /** No new pipelines are opened for a while. */
  #isPaused = false;
  #isOff = false;
  /** Whether `turnedOn` was called. */
  #isOn = false;
  #closed = false;
  #cutsInARow = 0;
  #willFlush = false;
  readonly #flush = () => this.#flushAll();
  #willLook = false;
  readonly #look = () => this.#lookAtAll();

  /** `sendAlone`: sends a lost call on a connection of its own. */
  constructor(
    private readonly origin: Http1Origin,
    private readonly pipelining: Pipelining,
    private readonly max: number,
    private readonly sendAlone: (exchange: Exchange) => void,
  ) {}

  /** Returns whether a pipeline carries the call. The pool sends any other call on a connection of its own. */
  take(exchange: Exchange): boolean {
    const { call, whole, content } = exchange;
    if (call.mayPipeline !== true || this.#isOff || whole !== undefined || content.length > maxContentLength)
      return false;
    let load = 0;
    let best: Http1Pipeline | undefined;
    let bestLoad = maxPipelined;
    for (const pipeline of this.#open) {
      load += pipeline.load;
      if (pipeline.load >= bestLoad) continue;
      best = pipeline;
      bestLoad = pipeline.load;
    }
    if (bestLoad > 0) this.#dialAnother();
    if (best === undefined || !this.#mayTake(call.owner, load)) return false;
    best.send(exchange);
    // Further calls of this turn of the event loop go out in the same write.
    if (!this.#willFlush) setImmediate(this.#flush);
    this.#willFlush = true;
    if (!this.#willLook) this.#lookLater();
    return true;
  }

  /** Pipelines that are open now carry no further call. */
  drop(): void {
    this.#flush();
    this.#dialing?.close();
    for (const pipeline of this.#open.splice(0)) pipeline.leave();
  }

  close(): void {
    this.#closed = true;
    this.#open.length = 0;
    for (const pipeline of [...this.#all]) pipeline.close();
  }

  stats(): { open: number; idle: number } {
    const open = this.#all.size - (this.#dialing === undefined ? 0 : 1);
    return { open, idle: this.#open.filter(({ load }) => load === 0).length };
  }

  opened(pipeline: Http1Pipeline): void {
    this.#dialing = undefined;
    this.#open.push(pipeline);
    if (!this.#isOn) this.pipelining.turnedOn();
    this.#isOn = true;
  }

  ended(pipeline: Http1Pipeline, why: PipelineEnd, lost: readonly Exchange[]): void {
    this.#all.delete(pipeline);
    if (this.#dialing === pipeline) this.#dialing = undefined;
    const at = this.#open.indexOf(pipeline);
    if (at >= 0) this.#open.splice(at, 1);
    if (why === 'unfit') this.#pause();
    else if (why === 'no-pipelining') this.#turnOff('requests that were sent together were not all answered');
    else if (why === 'out-of-step') this.#turnOff('an answer did not belong to the oldest request');
    else if (why === 'cut' && lost.length > 0) this.#noteCut(pipeline.answered);
    for (const exchange of lost) this.sendAlone(exchange);
  }

  #dialAnother(): void {
    if (this.#dialing !== undefined || this.#isPaused || this.#isOff || this.#closed) return;
    if (this.#open.length >= this.max || this.#all.size >= this.max * connectionsFor) return;
    const pipeline = new Http1Pipeline(this.origin, this.pipelining.trial, this);
    this.#all.add(pipeline);
    this.#dialing = pipeline;
    pipeline.dial();
  }

  /** Each owner has a share of the calls in flight, as it has of connections (docs/decisions/0053). Its further calls go to the pool and wait there. */
  #mayTake(owner: string | undefined, load: number): boolean {
    const free = this.#open.length * maxPipelined - load;
    if (owner === undefined || hasShare(load, free)) return true;
    let own = 0;
    for (const pipeline of this.#open) own += pipeline.loadOf(owner);
    return hasShare(own, free);
  }

  #flushAll(): void {
    this.#willFlush = false;
    for (const pipeline of this.#all) pipeline.flush();
  }

  #lookLater(): void {
    this.#willLook = true;
    this.origin.timerWheel.arm(lookMs, this.#look);
  }

  /** While calls are in flight, checks for slow pipelines: the calls behind a slow one are sent elsewhere. */
  #lookAtAll(): void {
    this.#flush();
    this.#willLook = false;
    const stuck = this.#open.filter((pipeline) => pipeline.isStuck());
    // The node is slow, not a single call: new pipelines would become slow as well.
    if (stuck.length * 2 > this.#open.length) this.#pause();
    for (const pipeline of stuck) {
      this.#open.splice(this.#open.indexOf(pipeline), 1);
      for (const exchange of pipeline.leaveOldest()) this.sendAlone(exchange);
    }
    for (const { isBusy } of this.#open) if (isBusy && !this.#willLook) this.#lookLater();
  }

  #pause(): void {
    this.#isPaused = true;
    this.origin.timerWheel.arm(redialMs, () => {
      this.#isPaused = false;
    });
  }

  #noteCut(answers: number): void {
    this.#cutsInARow = answers < fewAnswers ? this.#cutsInARow + 1 : 0;
    if (this.#cutsInARow >= maxCutsInARow) this.#turnOff('connections were closed with requests in progress');
  }

  #turnOff(reason: string): void {
    if (this.#isOff || this.#closed) return;
    this.#isOff = true;
    this.#isOn = false;
    this.#cutsInARow = 0;
    this.origin.timerWheel.arm(offMs, () => {
      this.#isOff = false;
    });
    this.drop();
    this.pipelining.turnedOff(reason, offMs);
  }
}
