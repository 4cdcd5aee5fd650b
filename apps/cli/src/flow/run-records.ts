/** The record of a run while its session is open. With it, a submission whose answer was lost is retried under the same key instead of executed twice. */

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FlowRunRecord } from '@flowgate/client/flow';
import { isJsonObject } from '@flowgate/json/json-object';
import type { Cli } from '../cli.ts';
import { configDirectory } from '../profiles/config-directory.ts';
import { readPrivateFile, writePrivateFile } from '../profiles/private-file.ts';

/** Longer than a session, which expires a day after its last change. */
const retentionMs = 2 * 86_400_000;

export type RunRecords = {
  readonly read: (sessionId: string) => FlowRunRecord | undefined;
  readonly keep: (record: FlowRunRecord | undefined) => void;
};

/**
 * One file per session and gateway, readable by its owner only, because a record may contain values and a payment. Another gateway that uses the same session
 * id gets a different file.
 */
export function createRunRecords({ runtime }: Cli, url: string): RunRecords {
  const directory = join(configDirectory(runtime), 'flow-runs');
  const gateway = createHash('sha256').update(url).digest('hex').slice(0, 32);
  const pathOf = (sessionId: string) => join(directory, `${sessionId}-${gateway}.json`);
  let written: string | undefined;
  return {
    read(sessionId) {
      const text = readPrivateFile(pathOf(sessionId))?.text;
      const record = text === undefined ? undefined : parsed(text);
      return record?.sessionId === sessionId ? record : undefined;
    },
    keep(record) {
      const now = runtime.clock.now();
      if (record?.sessionId === undefined) {
        if (record === undefined && written !== undefined) rmSync(written, { force: true });
        return;
      }
      if (written === undefined) removeOld(directory, now);
      written = pathOf(record.sessionId);
      writePrivateFile(written, JSON.stringify(record), { random: runtime.randomBytes, now });
    },
  };
}

function parsed(text: string): FlowRunRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** This command wrote the file; a process that can write there already has all rights of the user. */
function isRecord(value: unknown): value is FlowRunRecord {
  return isJsonObject(value) && typeof value['sessionId'] === 'string';
}

function removeOld(directory: string, now: number): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found !== undefined && now - found.mtimeMs > retentionMs) rmSync(path, { force: true });
  }
}
