/** Shows in the metrics whether this process leads a job. */

import type { GaugeFamily } from '@flowgate/telemetry/metrics/registry';
import type { Leadership } from './run-while-leader.ts';

/** `job`: its name, of the program's own. Without `leader` the leadership itself. */
export function meteredLeadership(leadership: Leadership, leader: GaugeFamily | undefined, job: string): Leadership {
  if (leader === undefined) return leadership;
  const hide = leader.add([job], () => (leadership.isLeader() ? 1 : 0));
  return {
    isLeader: leadership.isLeader,
    stop() {
      hide();
      return leadership.stop();
    },
  };
}
