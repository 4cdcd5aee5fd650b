/** Shows in the metrics whether this process leads a job. */

import type { GaugeFamily } from '@flowgate/telemetry/metrics/registry';
import type { Leadership } from './run-while-leader.ts';

/** `job`: its name in the metrics; never a text from outside. Without `leader`, returns the leadership unchanged. */
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
