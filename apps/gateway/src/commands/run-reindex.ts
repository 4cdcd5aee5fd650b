/** The composition root of `flowgate reindex`: makes the leading gateway read blocks again. */

import { existsSync } from 'node:fs';
import { createTypeIds } from '@flowgate/base/ids';
import { openDatabase } from '../bootstrap/open-storage.ts';
import { machine } from '../bootstrap/runtime.ts';
import { createSqlIndexStore } from '../bridge/indexing/sql-index-store.ts';
import { bridgeStreamIds, poolStreamId } from '../bridge/indexing/stream-id.ts';
import { factKinds } from '../bridge/sql-fact-kinds.ts';
import type { Config } from '../config/config.ts';

export type Reindex = {
  /** A bridge, or `swaps/DLT/NETWORKID`. */
  readonly target: string;
  readonly from: number;
  /** For a bridge; both chains when absent. */
  readonly chain: 'l1' | 'l2' | undefined;
};

export type ReindexedStream = { readonly streamId: string; readonly from: number };

type Configured = Pick<Config, 'storage' | 'bridges' | 'swaps'>;

/**
 * Passes each stream and its new start to `say`. Rejects with a sentence for the operator when the database cannot be used; returns a string when the
 * arguments are wrong.
 */
export async function runReindex(
  config: Configured,
  asked: Reindex,
  say: (line: string) => void,
): Promise<readonly ReindexedStream[] | string> {
  const streamIds = streamsOf(config, asked);
  if (typeof streamIds === 'string') return streamIds;
  const { storage } = config;
  const file = /^sqlite:(.+)$/.exec(storage.database)?.[1];
  // Opening a missing file would create it.
  if (file !== undefined && !existsSync(file)) throw new Error(`there is no file ${file}`);
  const opening = openDatabase({ ...storage, databaseConnections: 1 }, machine, (reason) => say(reason ?? 'recovered'));
  await using opened = new AsyncDisposableStack();
  const database = opened.adopt(await opening, (each) => each.close());
  const store = createSqlIndexStore(database, createTypeIds(machine.clock, machine.randomBytes), factKinds);
  const done: ReindexedStream[] = [];
  for (const streamId of streamIds) {
    const from = await store.reindex(streamId, asked.from);
    if (from === undefined) throw new Error(`no gateway has read ${streamId} yet`);
    done.push({ streamId, from });
    say(`${streamId}: the leading gateway reads it again from block ${from}.`);
  }
  return done;
}

function streamsOf({ bridges, swaps }: Configured, { target, chain }: Reindex): readonly string[] | string {
  const pools = new Set(swaps.map(poolStreamId));
  if (pools.has(target)) return chain === undefined ? [target] : 'pools have one chain: omit --chain';
  if (!bridges.some(({ bridgeId }) => bridgeId === target)) {
    const known = [...bridges.map(({ bridgeId }) => bridgeId), ...pools];
    const there = known.length === 0 ? 'the configuration has no bridge and no pool' : `there are ${known.join(', ')}`;
    return `there is no bridge ${target}; ${there}`;
  }
  const { l1, l2 } = bridgeStreamIds(target);
  return chain === undefined ? [l1, l2] : [chain === 'l1' ? l1 : l2];
}
