/** Limits of single users that differ from the configured ones, as this process knows them (contract/administration#limits-of-a-user). */

/** An absent member means the configured limit. */
export type UserLimits = {
  readonly userPerMinute?: number;
  readonly sessionPerMinute?: number;
  readonly maxActiveKeys?: number;
  readonly nodes?: number;
};

export type LimitOverrides = {
  /** Undefined for a user without limits of their own, as nearly every user is. */
  readonly of: (userId: string) => UserLimits | undefined;
};

export class KnownUserLimits implements LimitOverrides {
  #byUser: ReadonlyMap<string, UserLimits> = new Map();

  of(userId: string): UserLimits | undefined {
    return this.#byUser.size === 0 ? undefined : this.#byUser.get(userId);
  }

  replace(byUser: ReadonlyMap<string, UserLimits>): void {
    this.#byUser = byUser;
  }
}
