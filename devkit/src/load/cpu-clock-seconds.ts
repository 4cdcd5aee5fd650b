/** Another process' CPU time in nanoseconds, from Linux' per-process clocks (clock_getcpuclockid(3)); /proc counts in steps of 10 ms. */
import { dlopen } from 'bun:ffi';

/** PID_MAX_LIMIT (proc(5)). */
const maxPid = 2 ** 22;

const gettime = clockGettime();

/** User and system time of all threads, including ended ones, in seconds; undefined when there is no such clock or process. */
export function cpuClockSeconds(pid: number): number | undefined {
  // Outside Linux' range the encoding below would overflow, and 0 would mean this process.
  if (gettime === undefined || pid < 1 || pid > maxPid) return undefined;
  const timespec = new BigInt64Array(2);
  if (gettime(clockOf(pid), timespec) !== 0) return undefined;
  return Number(timespec[0]) + Number(timespec[1]) / 1e9;
}

/** Linux' encoding of a process' scheduler clock, as clock_getcpuclockid(3) returns it. */
function clockOf(pid: number): number {
  return (~pid << 3) | 2;
}

function clockGettime(): ((clock: number, timespec: BigInt64Array) => number) | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return dlopen('libc.so.6', { clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' } }).symbols.clock_gettime;
  } catch {
    // The C library has another name on this system: the caller falls back to /proc.
    return undefined;
  }
}
