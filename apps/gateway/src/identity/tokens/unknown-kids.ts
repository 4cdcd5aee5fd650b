/**
 * Remembers kids that the issuer's keys lack and limits fetches for unknown kids, so that a client that invents kids cannot use up all fetches
 * (contract/tokens#keys-of-the-issuer).
 */

import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { Clock } from '@flowgate/base/clock';

/** The token that names the kid, and the token's own issue time. */
export type KidQuestion = {
  readonly algorithm: string;
  readonly kid: string | undefined;
  /** `iat` in milliseconds of the wall clock; unverified. */
  readonly issuedAtMs: number | undefined;
};

/** A token bucket: this many fetches at once, and one more after each interval. A new key is found within this time, regardless of other requests. */
const maxFetches = 3;
const oneFetchEachMs = 5_000;
/** One kid causes a fetch at most this often. */
const verdictMs = 30_000;
/** The issuer's clock and the gateway's may differ by this much (contract/tokens). */
const leewayMs = 30_000;
const maxVerdicts = 1_000;
const maxKidLength = 256;

export class UnknownKids {
  /** When a fetch that lacked the kid began, by kid. */
  private readonly verdicts: ExpiringMap<string, number>;
  private fetches = maxFetches;
  private countedAtMs: number;

  constructor(private readonly clock: Clock) {
    this.countedAtMs = clock.monotonic();
    this.verdicts = new ExpiringMap(clock, verdictMs, maxVerdicts);
  }

  /** Whether a fetch may begin now; counts it as begun. */
  takeFetch(): boolean {
    const gained = Math.floor((this.clock.monotonic() - this.countedAtMs) / oneFetchEachMs);
    this.countedAtMs += gained * oneFetchEachMs;
    this.fetches = Math.min(maxFetches, this.fetches + gained);
    if (this.fetches === 0) return false;
    // A full bucket gains nothing, so the time of its next token starts now.
    if (this.fetches === maxFetches) this.countedAtMs = this.clock.monotonic();
    this.fetches -= 1;
    return true;
  }

  /** Records that a fetch begun after the question, at `beganAtMs` of the wall clock, lacks the kid. */
  noteMissing(question: KidQuestion, beganAtMs: number): void {
    const name = nameOf(question);
    if (name.length <= maxKidLength) this.verdicts.set(name, beganAtMs);
  }

  /**
   * Whether a fetch less than 30 s ago lacked the token's key. False for a token that may be younger than that fetch, because its key may be younger too,
   * even if another token used the kid earlier.
   */
  isMissing(question: KidQuestion): boolean {
    const beganAtMs = this.verdicts.get(nameOf(question));
    if (beganAtMs === undefined || question.issuedAtMs === undefined) return false;
    return question.issuedAtMs + leewayMs < beganAtMs;
  }
}

function nameOf({ algorithm, kid }: KidQuestion): string {
  return kid === undefined ? `algorithm ${algorithm}` : `kid ${kid}`;
}
