/** A queue of work on behalf of users of apps. Apps get equal shares of the time, and so do the users of one app. */

import { Tally } from '@flowgate/base/tally';
import { createTimeFairQueue, type TimeFairQueue } from './time-fair-queue.ts';

/** The user for whom work is done, and the app that caused it. */
export type Asker = { readonly userId: string; readonly appId: string };

export type AskerQueueLimits = {
  /** Maximum number of waiting entries: in all, for one app, and for one user over all apps. */
  readonly max: number;
  readonly maxOfApp: number;
  readonly maxOfUser: number;
};

export type AskerQueue<T> = {
  /** False if the queue is full for this user, for this app or for all. */
  readonly add: (asker: Asker, item: T) => boolean;
  /**
   * Takes an entry of the app that has used the least time, and among its users of the one who has used the least. Undefined if no entry is waiting. Call `charge` before the
   * next `next`.
   */
  readonly next: () => { readonly asker: Asker; readonly item: T } | undefined;
  /** Removes a waiting entry; false when it is not in the queue. */
  readonly remove: (asker: Asker, item: T) => boolean;
  /** Records how many milliseconds the entry that was taken last has cost. */
  readonly charge: (asker: Asker, ms: number) => void;
};

export function createAskerQueue<T>({ max, maxOfApp, maxOfUser }: AskerQueueLimits): AskerQueue<T> {
  /** One entry for each waiting entry, by app. `ofApp` decides which of the app's entries comes next. */
  const apps = createTimeFairQueue<string>({ max, maxOfOwner: maxOfApp });
  const ofApp = new Map<string, TimeFairQueue<T>>();
  /** The number of waiting entries by user. */
  const waiting = new Tally();

  /** Used time counts only while there is competition. */
  function forgetWhenIdle(appId: string): void {
    if (ofApp.get(appId)?.isEmpty() === true) ofApp.delete(appId);
  }

  return {
    add({ userId, appId }, item) {
      if (waiting.of(userId) >= maxOfUser || !apps.add(appId, appId)) return false;
      const users = ofApp.get(appId) ?? createTimeFairQueue<T>({ max, maxOfOwner: maxOfUser });
      ofApp.set(appId, users);
      users.add(userId, item);
      waiting.add(userId);
      return true;
    },
    next() {
      const appId = apps.next()?.item;
      const turn = appId === undefined ? undefined : ofApp.get(appId)?.next();
      if (appId === undefined || turn === undefined) return undefined;
      waiting.remove(turn.owner);
      return { asker: { userId: turn.owner, appId }, item: turn.item };
    },
    remove({ userId, appId }, item) {
      if (ofApp.get(appId)?.remove(userId, item) !== true) return false;
      apps.remove(appId, appId);
      waiting.remove(userId);
      forgetWhenIdle(appId);
      return true;
    },
    charge({ userId, appId }, ms) {
      apps.charge(appId, ms);
      ofApp.get(appId)?.charge(userId, ms);
      forgetWhenIdle(appId);
    },
  };
}
