/**
 * The issuer's keys: one fetch for concurrent callers, refreshed in the background, and used while the issuer is unavailable
 * (contract/tokens#keys-of-the-issuer).
 */

import type { Clock } from '@flowgate/base/clock';
import { messageOf } from '@flowgate/base/text';
import type { SafeFetch } from '@flowgate/http1/safe-fetch/safe-fetch';
import type { Log } from '@flowgate/telemetry/log';
import type { CryptoKey } from 'jose';
import { fetchIssuerKeys, type IssuerLocation } from './fetch-issuer-keys.ts';
import { type KeyMatch, type KeySet, readKeySet } from './key-set.ts';
import { type KidQuestion, UnknownKids } from './unknown-kids.ts';

/** `invalid`: the issuer's keys are known, and none may verify this token. `unavailable`: the keys are not known. */
export type FoundKey = CryptoKey | 'invalid' | 'unavailable';

export type IssuerKeysOptions = IssuerLocation & {
  readonly algorithms: ReadonlySet<string>;
  readonly request: SafeFetch['request'];
  readonly clock: Clock;
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined;
  /** For one fetch, discovery included. Default 2000. */
  readonly fetchTimeoutMs?: number | undefined;
  /** How long one caller waits for a fetch, which may continue afterwards. Default 1000. */
  readonly patienceMs?: number | undefined;
};

const refreshAfterMs = 10 * 60_000;
const keepMs = 24 * 60 * 60_000;
/** How often an unavailable issuer is asked again; sooner for an unknown kid. */
const askAgainAfterMs = 30_000;
const askAgainForKidAfterMs = 5_000;
/** Without any key no token is valid, so the issuer is asked more often. */
const askAgainWithoutKeysAfterMs = 1_000;
const tickMs = 500;

export class IssuerKeys {
  /** With the times at which the fetch began, by both clocks. */
  private cached: { readonly set: KeySet; readonly fetchedAtMs: number; readonly wallMs: number } | undefined;
  private running: Promise<void> | undefined;
  /** Fetches are counted, so that "begun after the question" needs no clock. */
  private fetches = 0;
  private lastSuccess = 0;
  private readonly unknown: UnknownKids;
  private endedAtMs = Number.NEGATIVE_INFINITY;
  private complaint = '';
  private isClosed = false;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly options: IssuerKeysOptions) {
    this.unknown = new UnknownKids(options.clock);
  }

  start(): void {
    this.refreshIfDue();
    this.timer ??= setInterval(() => this.refreshIfDue(), tickMs).unref();
  }

  close(): void {
    clearInterval(this.timer);
    this.isClosed = true;
  }

  /**
   * The key that must have signed a token. Waits only when the kid is unknown, at most `patienceMs`. `invalid` when a fetch that began after this call lacks
   * the kid; `unavailable` when no such fetch has succeeded. `issuedAtMs` is the token's unverified `iat`.
   */
  find(algorithm: string, kid: string | undefined, issuedAtMs?: number): FoundKey | Promise<FoundKey> {
    const match = this.match(algorithm, kid);
    if (match !== 'absent') return conclude(match);
    const question = { algorithm, kid, issuedAtMs };
    return this.unknown.isMissing(question) ? 'invalid' : this.findAfterFetch(question);
  }

  /** Whether tokens can be verified now. Without keys, it asks the issuer and waits at most `patienceMs`. */
  async ready(): Promise<boolean> {
    if (this.current() === undefined) await this.ask();
    return (this.current()?.usableKeys ?? 0) > 0;
  }

  /** Starts a fetch when the keys are due for a refresh; never waits. */
  refreshIfDue(): void {
    const sinceLastMs = this.options.clock.monotonic() - this.endedAtMs;
    const pauseMs = this.lastSuccess === this.fetches ? refreshAfterMs : askAgainAfterMs;
    if (sinceLastMs >= (this.current() === undefined ? askAgainWithoutKeysAfterMs : pauseMs)) this.fetch();
  }

  /** Settles when no fetch is in progress; never rejects. */
  async settled(): Promise<void> {
    await this.running;
  }

  private async findAfterFetch(question: KidQuestion): Promise<FoundKey> {
    const begunBefore = this.fetches;
    const askedAtMs = this.options.clock.monotonic();
    const { algorithm, kid } = question;
    const isDecided = () => this.match(algorithm, kid) !== 'absent' || this.lastSuccess > begunBefore;
    await this.ask(isDecided);
    const match = this.match(algorithm, kid);
    if (match !== 'absent') return conclude(match);
    const { cached } = this;
    // No newer fetch may begin now, so a fetch that began no earlier than this question decides.
    const isOfNow = this.lastSuccess === this.fetches && cached !== undefined && cached.fetchedAtMs >= askedAtMs;
    if (cached === undefined || !(isDecided() || isOfNow)) return 'unavailable';
    this.unknown.noteMissing(question, cached.wallMs);
    return 'invalid';
  }

  /** Waits for the fetch in progress and then, unless `enough` returns true, for one begun after the question. */
  private async ask(enough: () => boolean = () => this.current() !== undefined): Promise<void> {
    const mayBegin = () => this.running !== undefined || this.demand();
    if (!mayBegin()) return;
    const { promise: patience, resolve: giveUp } = Promise.withResolvers<void>();
    const timer = setTimeout(giveUp, this.options.patienceMs ?? 1_000);
    await Promise.race([this.running, patience]);
    if (!enough() && mayBegin()) await Promise.race([this.running, patience]);
    clearTimeout(timer);
  }

  /** Begins a fetch if one may begin now. Fetching the first keys does not count as a fetch for an unknown kid. */
  private demand(): boolean {
    if (this.isClosed) return false;
    const sinceMs = this.options.clock.monotonic() - this.endedAtMs;
    const hasKeys = this.current() !== undefined;
    const pauseMs = !hasKeys
      ? askAgainWithoutKeysAfterMs
      : this.lastSuccess === this.fetches
        ? 0
        : askAgainForKidAfterMs;
    if (sinceMs < pauseMs || (hasKeys && !this.unknown.takeFetch())) return false;
    this.fetch();
    return true;
  }

  private match(algorithm: string, kid: string | undefined): KeyMatch {
    return this.current()?.find(algorithm, kid) ?? 'absent';
  }

  private current(): KeySet | undefined {
    if (this.cached === undefined) return undefined;
    return this.options.clock.monotonic() - this.cached.fetchedAtMs < keepMs ? this.cached.set : undefined;
  }

  private fetch(): void {
    if (this.running !== undefined || this.isClosed) return;
    this.fetches += 1;
    this.running = this.fetchOnce(this.fetches).finally(() => {
      this.endedAtMs = this.options.clock.monotonic();
      this.running = undefined;
    });
  }

  private async fetchOnce(nth: number): Promise<void> {
    const { algorithms, request, clock, fetchTimeoutMs = 2_000, log } = this.options;
    const [beganAtMs, wallMs] = [clock.monotonic(), clock.now()];
    try {
      const document = await fetchIssuerKeys(this.options, { request, clock, timeoutMs: fetchTimeoutMs });
      const set = await readKeySet(document, algorithms);
      if (set === undefined) throw new Error('the issuer published no key');
      this.cached = { set, fetchedAtMs: beganAtMs, wallMs };
      this.lastSuccess = nth;
      if (nth === 1 || this.complaint !== '') log?.info('issuer-keys.fetched', { usableKeys: set.usableKeys });
      this.complaint = '';
    } catch (failure) {
      const reason = messageOf(failure);
      // Logged once for each change, so that an unavailable issuer does not fill the log.
      if (reason !== this.complaint && !this.isClosed) log?.warn('issuer-keys.unavailable', { reason });
      this.complaint = reason;
    }
  }
}

function conclude(match: CryptoKey | 'unusable'): FoundKey {
  return match === 'unusable' ? 'invalid' : match;
}
