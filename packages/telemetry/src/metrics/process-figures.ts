/** Figures of the operating system about this process: processor time, memory, open files. */

import { readdirSync, readFileSync, statSync } from 'node:fs';

/** NaN where the system does not report a figure: only Linux has `/proc`. */
export type ProcessFigures = {
  /** User and system time. */
  readonly cpuSeconds: () => number;
  readonly residentBytes: () => number;
  readonly virtualBytes: () => number;
  readonly openFds: () => number;
  readonly maxFds: () => number;
};

export const processFigures: ProcessFigures = {
  cpuSeconds() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  },
  residentBytes: () => process.memoryUsage.rss(),
  virtualBytes: () => 1024 * numberIn('/proc/self/status', /^VmSize:\s+(\d+) kB/m),
  openFds: () => orNaN(countFds),
  maxFds: () => numberIn('/proc/self/limits', /^Max open files\s+(\d+)/m),
};

/** Kernels before 6.2 do not report the number as the directory's size. */
function countFds(): number {
  const { size } = statSync('/proc/self/fd');
  return size > 0 ? size : readdirSync('/proc/self/fd').length;
}

function numberIn(file: string, pattern: RegExp): number {
  return orNaN(() => Number(pattern.exec(readFileSync(file, 'latin1'))?.[1]));
}

function orNaN(read: () => number): number {
  try {
    return read();
  } catch {
    return Number.NaN;
  }
}
