/** CPU time and memory of another process from Linux' /proc; undefined without /proc or without the process. */
import { readFileSync } from 'node:fs';
import { cpuClockSeconds } from './cpu-clock-seconds.ts';

/** Clock ticks per second in which Linux reports process times on each architecture of Bun. */
const ticksPerSecond = 100;

/** CPU seconds, user and system, of all threads (also ended ones) from the text of /proc/<pid>/stat (proc(5), fields 14 and 15). */
export function cpuSecondsOf(stat: string): number | undefined {
  // The second field is the program's name in parentheses; the name itself may contain spaces and parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  return Number.isFinite(ticks) ? ticks / ticksPerSecond : undefined;
}

/** Resident bytes from the text of /proc/<pid>/status (`VmRSS`, which is in KiB). */
export function residentBytesOf(status: string): number | undefined {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
}

export function cpuSeconds(pid: number): number | undefined {
  const fine = cpuClockSeconds(pid);
  if (fine !== undefined) return fine;
  const stat = textOf(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : cpuSecondsOf(stat);
}

export function residentBytes(pid: number): number | undefined {
  const status = textOf(`/proc/${pid}/status`);
  return status === undefined ? undefined : residentBytesOf(status);
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
