/**
 * What is known of kids that the issuer's keys lack, and how often the issuer is asked about others, so that no one who invents kids uses up everybody's fetches
 * (contract/tokens#keys-of-the-issuer).
 */

import { ExpiringMap } from '@flowgate/async/expiring-map';
import type { Clock } from '@flowgate/base/clock';

/** The token that names the kid, with what it says about the key's age. */
export type KidQuestion = {
  readonly algorithm: string;
  readonly kid: string | undefined;
  /** `iat` in milliseconds of the wall clock; unverified. */
  readonly issuedAtMs: number | undefined;
};

/** A token bucket: this many fetches at once, and one more each time. A new key is found after this time at the latest, whoever else asks. */
const maxFetches = 3;
const oneFetchEachMs = 5_000;
/** One kid makes us ask at most this often. */
const verdictMs = 30_000;
/** The issuer's clock and ours may differ by this much (contract/tokens). */
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

  /** Whether the issuer may be asked now; counts that it is. */
  takeFetch(): boolean {
    const gained = Math.floor((this.clock.monotonic() - this.countedAtMs) / oneFetchEachMs);
    this.countedAtMs += gained * oneFetchEachMs;
    this.fetches = Math.min(maxFetches, this.fetches + gained);
    if (this.fetches === 0) return false;
    // A full bucket gains nothing: its next token starts growing now.
    if (this.fetches === maxFetches) this.countedAtMs = this.clock.monotonic();
    this.fetches -= 1;
    return true;
  }

  /** A fetch that began at `beganAtMs` of the wall clock, after the question, lacks the kid. */
  noteMissing(question: KidQuestion, beganAtMs: number): void {
    const name = nameOf(question);
    if (name.length <= maxKidLength) this.verdicts.set(name, beganAtMs);
  }

  /**
   * Whether a token was signed with a key that the issuer does not have, according to a fetch less than 30 s ago. False for a token that may be younger than that
   * fetch: its key may be younger, too, even when somebody guessed the kid before the issuer used it.
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
