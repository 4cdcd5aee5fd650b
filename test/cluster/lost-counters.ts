/**
 * When gateways decided limits alone, according to their own logs: a busy machine delays Redis like an injected fault
 * (contract/limits).
 */

import type { Clock } from '@flowgate/base/clock';
import type { GatewayService } from './cluster.ts';
import type { Mark } from './history.ts';

type Line = { readonly time: string; readonly event: string; readonly purpose?: string };

/** Log lines have whole milliseconds. */
const roundingMs = 5;

/**
 * A mark from each loss of a gateway's connection for limits, and from each start of a gateway, until the connection is
 * ready.
 */
export async function lostCounters(
  gateways: readonly Pick<GatewayService, 'name' | 'logs'>[],
  clock: Pick<Clock, 'monotonic' | 'now'>,
): Promise<Mark[]> {
  const wallMs = clock.now() - clock.monotonic();
  const marks = gateways.map(async ({ name, logs }) =>
    lostIn(await logs()).map(
      ([fromMs, toMs]): Mark => ({
        kind: 'counters-unavailable',
        service: name,
        fromMs: fromMs - wallMs - roundingMs,
        toMs: toMs - wallMs + roundingMs,
      }),
    ),
  );
  return (await Promise.all(marks)).flat();
}

/** Pairs of Unix milliseconds. The logs are of the processes of one gateway, in the order in which they ran. */
function lostIn(logs: readonly string[]): (readonly [fromMs: number, toMs: number])[] {
  const lost: (readonly [number, number])[] = [];
  let sinceMs: number | undefined;
  for (const log of logs) {
    // A killed process may have left an incomplete line.
    const lines = log.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
    for (const [at, line] of lines.entries()) {
      const { time, event, purpose } = JSON.parse(line) as Line;
      const ms = Date.parse(time);
      if (at === 0) sinceMs ??= ms;
      if (purpose !== 'limits') continue;
      if (event === 'redis.unavailable') sinceMs ??= ms;
      if (event !== 'redis.ready' || sinceMs === undefined) continue;
      lost.push([sinceMs, ms]);
      sinceMs = undefined;
    }
  }
  return sinceMs === undefined ? lost : [...lost, [sinceMs, Number.POSITIVE_INFINITY]];
}
