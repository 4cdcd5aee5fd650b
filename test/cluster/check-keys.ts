/**
 * Acknowledged changes persist: created keys are listed and work, revoked ones stay revoked, and no user has more
 * active keys than allowed (contract/keys#revocation).
 */

import { at } from './check-limits.ts';
import type { Violation } from './checker.ts';
import { type Entry, type History, isEvaluated } from './history.ts';

/** A revocation's `revokedAt` may not change. After the hard bound no cache can explain that a revoked key is accepted. */
type KeyLife = {
  readonly keyId: string;
  readonly userId: string;
  readonly minted: Entry | undefined;
  /** The first attempt to revoke, answered or not: from then on the key may be revoked. */
  readonly mayBeRevokedFromMs: number;
  readonly revoked: Entry | undefined;
  readonly calls: readonly Entry[];
};

export function checkKeys(history: History): Violation[] {
  const lives = keyLives(history.entries);
  const livesOf = Map.groupBy(lives, ({ userId }) => userId);
  const lists = history.entries.filter((entry) => entry.listed !== undefined && isEvaluated(history, entry));
  const texts = [
    ...lives.flatMap((life) => failingKeys(history, life)),
    ...lists.flatMap((list) => (livesOf.get(list.userId) ?? []).flatMap((life) => listProblems(list, life))),
    ...lists.flatMap((list) => tooManyListed(history, list)),
    ...[...livesOf].flatMap(([userId, some]) => tooManyAtOnce(history, userId, some)),
    ...changedRevocations(lists),
  ];
  return texts.map((text) => ({ rule: 'keys', text }));
}

function keyLives(entries: readonly Entry[]): KeyLife[] {
  const byKey = Map.groupBy(
    entries.filter(({ keyId }) => keyId !== undefined),
    ({ keyId }) => keyId ?? '',
  );
  return [...byKey].map(([keyId, group]) => {
    const revokes = group.filter(({ operation }) => operation === 'revoke');
    return {
      keyId,
      userId: group[0]?.userId ?? '',
      minted: group.find(({ operation, status }) => operation === 'mint' && status === 201),
      mayBeRevokedFromMs: Math.min(Number.POSITIVE_INFINITY, ...revokes.map(({ startMs }) => startMs)),
      revoked: revokes.filter(({ status }) => status === 204).toSorted((a, b) => a.endMs - b.endMs)[0],
      calls: group.filter(({ operation }) => operation === 'call'),
    };
  });
}

/** The gateway refused an active key as unknown, revoked or expired. */
function failingKeys(history: History, { keyId, minted, mayBeRevokedFromMs, calls }: KeyLife): string[] {
  if (minted === undefined) return [];
  return calls
    .filter(
      (call) =>
        isEvaluated(history, call) &&
        call.startMs >= minted.endMs &&
        call.endMs < mayBeRevokedFromMs &&
        call.error?.envelope === 'rpc' &&
        call.error.code === -32001,
    )
    .map(
      ({ startMs, servedBy }) =>
        `${keyId} was refused as invalid at ${servedBy}, ${at(startMs - minted.endMs)} after its mint`,
    );
}

function listProblems(list: Entry, { keyId, minted, mayBeRevokedFromMs, revoked }: KeyLife): string[] {
  const found = list.listed?.find((key) => key.keyId === keyId);
  const where = `the list of ${list.userId} at ${list.servedBy}, ${at(list.startMs)}`;
  if (found === undefined)
    return minted !== undefined && list.startMs >= minted.endMs
      ? [`${keyId} was minted and is missing in ${where}`]
      : [];
  if (found.revokedAt === undefined)
    return revoked !== undefined && list.startMs >= revoked.endMs
      ? [`${keyId} was revoked and is active in ${where}`]
      : [];
  return list.endMs < mayBeRevokedFromMs ? [`${keyId} is revoked in ${where}, which no one asked for`] : [];
}

function tooManyListed({ promised }: History, { listed = [], userId, startMs }: Entry): string[] {
  const active = listed.filter(({ revokedAt }) => revokedAt === undefined).length;
  return active > promised.activeKeys ? [`${userId} has ${active} active keys in the list of ${at(startMs)}`] : [];
}

/** Certainly active: from the response that created the key until the first attempt to revoke it. */
function tooManyAtOnce(history: History, userId: string, lives: readonly KeyLife[]): string[] {
  const active = lives.flatMap(({ minted, mayBeRevokedFromMs }) =>
    minted === undefined ? [] : [{ fromMs: minted.endMs, toMs: mayBeRevokedFromMs, minted }],
  );
  const evaluated = active.filter(({ minted }) => isEvaluated(history, minted));
  const max = Math.max(
    0,
    ...evaluated.map(({ fromMs: now }) => active.filter(({ fromMs, toMs }) => fromMs <= now && now < toMs).length),
  );
  return max > history.promised.activeKeys ? [`${userId} had ${max} active keys at once`] : [];
}

function changedRevocations(lists: readonly Entry[]): string[] {
  const seen = new Map<string, string>();
  return lists.flatMap(({ listed = [] }) =>
    listed.flatMap(({ keyId, revokedAt }) => {
      if (revokedAt === undefined) return [];
      const first = seen.get(keyId) ?? revokedAt;
      seen.set(keyId, first);
      return first === revokedAt ? [] : [`${keyId}: revokedAt was ${first} and then ${revokedAt}`];
    }),
  );
}

/** Acknowledged creations and revocations that a later answer contradicts; for the figures. */
export function lostWrites(history: History): number {
  return checkKeys(history).filter(({ text }) => /missing in|is active in|refused as invalid/.test(text)).length;
}
