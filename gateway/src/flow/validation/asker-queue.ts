/** Work for users of apps that waits for its turn: no app gets more of the time than another, and of an app's time no user more than another. */

import { createFairQueue, type FairQueue } from './fair-queue.ts';

/** For whom something is done, and because of which app. */
export type Asker = { readonly userId: string; readonly appId: string };

export type AskerQueueLimits = {
  /** Entries that wait: of all together, with one app, and of one user over all apps. */
  readonly most: number;
  readonly mostOfApp: number;
  readonly mostOfUser: number;
};

export type AskerQueue<T> = {
  /** False when there is no room. */
  readonly add: (asker: Asker, item: T) => boolean;
  /** Of the app that has had the least time the user who has had the least of it; undefined when nobody waits. Until its time is charged no other is taken. */
  readonly next: () => { readonly asker: Asker; readonly item: T } | undefined;
  /** An entry is not wanted any more; false when it is not there. */
  readonly remove: (asker: Asker, item: T) => boolean;
  /** What was taken last has cost so many milliseconds. */
  readonly charge: (asker: Asker, ms: number) => void;
};

export function createAskerQueue<T>({ most, mostOfApp, mostOfUser }: AskerQueueLimits): AskerQueue<T> {
  /** An entry for each that waits: which of its app's comes is the app's own queue's to say. */
  const apps = createFairQueue<string>({ most, mostOfOwner: mostOfApp });
  const ofApp = new Map<string, FairQueue<T>>();
  /** How many of each user wait. */
  const waiting = new Map<string, number>();

  function count(userId: string, change: 1 | -1): void {
    const after = (waiting.get(userId) ?? 0) + change;
    if (after === 0) waiting.delete(userId);
    else waiting.set(userId, after);
  }

  /** Shares of time count among those who wait together. */
  function forgetWhenIdle(appId: string): void {
    if (ofApp.get(appId)?.isEmpty() === true) ofApp.delete(appId);
  }

  return {
    add({ userId, appId }, item) {
      if ((waiting.get(userId) ?? 0) >= mostOfUser || !apps.add(appId, appId)) return false;
      const users = ofApp.get(appId) ?? createFairQueue<T>({ most, mostOfOwner: mostOfUser });
      ofApp.set(appId, users);
      users.add(userId, item);
      count(userId, 1);
      return true;
    },
    next() {
      const appId = apps.next()?.item;
      const turn = appId === undefined ? undefined : ofApp.get(appId)?.next();
      if (appId === undefined || turn === undefined) return undefined;
      count(turn.owner, -1);
      return { asker: { userId: turn.owner, appId }, item: turn.item };
    },
    remove({ userId, appId }, item) {
      if (ofApp.get(appId)?.remove(userId, item) !== true) return false;
      apps.remove(appId, appId);
      count(userId, -1);
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
