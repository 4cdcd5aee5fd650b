/** Processes below another one, for tests that nothing is left running. */
import { readdirSync, readFileSync } from 'node:fs';

type ProcessRow = { readonly pid: number; readonly parent: number; readonly state: string };

/** Each running process below `pid`, without `pid` itself. */
export function descendantsOf(pid: number): number[] {
  const rows = processRows();
  const found = [pid];
  for (const ancestor of found) for (const row of rows) if (row.parent === ancestor) found.push(row.pid);
  return found.slice(1);
}

/** The processes of `pids` that still run. A zombie has ended. */
export function runningOf(pids: readonly number[]): number[] {
  return processRows()
    .filter(({ pid, state }) => pids.includes(pid) && !state.startsWith('Z'))
    .map(({ pid }) => pid);
}

/** Resolves once none of `pids` runs; throws after `timeoutMs` with those that run. */
export async function untilGone(pids: readonly number[], timeoutMs = 30_000): Promise<void> {
  await until(
    () => runningOf(pids).length === 0,
    timeoutMs,
    () => `still running: ${runningOf(pids).join(', ')}`,
  );
}

export async function until(condition: () => boolean, timeoutMs: number, problem: () => string): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > deadlineMs) throw new Error(problem());
    // Real time: the pause between two checks.
    await Bun.sleep(20);
  }
}

function processRows(): ProcessRow[] {
  return process.platform === 'linux' ? linuxRows() : posixRows();
}

function linuxRows(): ProcessRow[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      // The name in parentheses may contain any character, so the fields after it are read.
      const [state = '', parent = ''] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return [{ pid: Number(name), parent: Number(parent), state }];
    } catch {
      return [];
    }
  });
}

function posixRows(): ProcessRow[] {
  const listing = Bun.spawnSync(['ps', '-A', '-o', 'pid=,ppid=,stat=']).stdout.toString();
  return listing.split('\n').flatMap((line) => {
    const [pid, parent, state = ''] = line.trim().split(/\s+/);
    return pid === undefined || pid === '' ? [] : [{ pid: Number(pid), parent: Number(parent), state }];
  });
}
