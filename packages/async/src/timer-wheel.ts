/** One coarse timer for all deadlines of the process: arming one takes nanoseconds. */
import type { Clock } from '@flowgate/base/clock';

/** An armed or finished deadline. Opaque; pass it to `disarm` once. */
export type Deadline = { readonly callback: () => void };

export type TimerWheel = {
  /**
   * Calls `callback` once, not before `ms` milliseconds have passed and at most about two ticks later. O(1). Deadlines
   * do not prevent the process from exiting.
   */
  arm(ms: number, callback: () => void): Deadline;
  /** Cancels a deadline. No effect on one that has fired or was cancelled. O(1). */
  disarm(deadline: Deadline): void;
};

/** Calls `run` once in about `ms` milliseconds; the returned function cancels the call. */
export type Schedule = (ms: number, run: () => void) => () => void;

const slotCount = 1024;

class Entry implements Deadline {
  previous: Entry = this;
  next: Entry = this;
  armed = false;

  constructor(
    readonly callback: () => void,
    readonly dueTick: number,
  ) {}
}

const unreferencedTimeout: Schedule = (ms, run) => {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
};

const noop = () => {};

/**
 * A hashed wheel (Varghese and Lauck 1987, scheme 6): a deadline is in the slot of its tick modulo the number of slots;
 * longer ones wait there for their round. The wheel sleeps until its next occupied slot: it does not tick while idle,
 * and a thousand calls a second that arm and disarm 30 s wake it every 30 s.
 */
export function createTimerWheel(
  clock: Pick<Clock, 'monotonic'>,
  tickMs = 50,
  schedule: Schedule = unreferencedTimeout,
): TimerWheel {
  const slots = Array.from({ length: slotCount }, () => new Entry(noop, 0));
  const origin = clock.monotonic();
  let armedCount = 0;
  let doneTick = 0;
  let wakeTick = Number.POSITIVE_INFINITY;
  let cancelWake = noop;

  const slotOf = (tick: number): Entry => slots[tick % slotCount] ?? unreachable();

  function wakeAt(tick: number): void {
    cancelWake();
    wakeTick = tick;
    cancelWake = schedule(Math.max(0, Math.ceil(origin + tick * tickMs - clock.monotonic())), wake);
  }

  function wake(): void {
    const due = takeDue(Math.floor((clock.monotonic() - origin) / tickMs));
    wakeTick = Number.POSITIVE_INFINITY;
    cancelWake = noop;
    for (const entry of due) {
      if (entry.armed) fire(entry);
    }
    if (armedCount > 0) wakeAtNextOccupied();
  }

  /** Unlinks the due deadlines. They stay armed, so that a callback may still disarm another one of the same batch. */
  function takeDue(nowTick: number): Entry[] {
    const due: Entry[] = [];
    const last = Math.min(nowTick, doneTick + slotCount);
    for (let tick = doneTick + 1; tick <= last; tick++) {
      const slot = slotOf(tick);
      for (let entry = slot.next; entry !== slot; ) {
        const following = entry.next;
        if (entry.dueTick <= nowTick) {
          unlink(entry);
          due.push(entry);
        }
        entry = following;
      }
    }
    doneTick = Math.max(doneTick, nowTick);
    return due;
  }

  function fire(entry: Entry): void {
    entry.armed = false;
    armedCount--;
    try {
      entry.callback();
    } catch (bug) {
      queueMicrotask(() => {
        throw bug;
      });
    }
  }

  function wakeAtNextOccupied(): void {
    for (let tick = doneTick + 1; tick <= doneTick + slotCount; tick++) {
      const slot = slotOf(tick);
      if (slot.next !== slot) {
        if (tick < wakeTick) wakeAt(tick);
        return;
      }
    }
  }

  return {
    arm(ms, callback) {
      const elapsedMs = clock.monotonic() - origin;
      if (armedCount === 0) doneTick = Math.max(doneTick, Math.floor(elapsedMs / tickMs));
      const dueTick = Math.max(doneTick + 1, Math.ceil((elapsedMs + ms) / tickMs));
      const entry = new Entry(callback, dueTick);
      const slot = slotOf(dueTick);
      entry.previous = slot.previous;
      entry.next = slot;
      slot.previous.next = entry;
      slot.previous = entry;
      entry.armed = true;
      armedCount++;
      if (dueTick < wakeTick) wakeAt(dueTick);
      return entry;
    },
    disarm(deadline) {
      if (!(deadline instanceof Entry) || !deadline.armed) return;
      deadline.armed = false;
      armedCount--;
      unlink(deadline);
    },
  };
}

function unlink(entry: Entry): void {
  entry.previous.next = entry.next;
  entry.next.previous = entry.previous;
  entry.previous = entry;
  entry.next = entry;
}

function unreachable(): never {
  throw new Error('a slot outside the wheel');
}
