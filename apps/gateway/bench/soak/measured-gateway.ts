/** A gateway that prints a line about its own process on SIGUSR2: live objects in its heap, its memory and its descriptors. */

import { heapStats } from 'bun:jsc';
import { readdirSync, readFileSync } from 'node:fs';

process.on('SIGUSR2', () => {
  Bun.gc(true);
  const { objectTypeCounts, heapSize } = heapStats();
  const count = (type: string): number => objectTypeCounts[type] ?? 0;
  const sockets = count('TCPSocket') + count('TLSSocket');
  const figures = {
    residentMiB: Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1024,
    heapMiB: heapSize / 1_048_576,
    sockets,
    otherDescriptors: readdirSync('/proc/self/fd').length - sockets,
    timers: count('Timeout'),
    promises: count('Promise'),
    abortControllers: count('AbortController'),
  };
  process.stdout.write(`${JSON.stringify({ measured: figures })}\n`);
});

await import('../../../cli/src/main.ts');
