/** An event of a session. */

import type { FlowEvent, JsonMembers } from '@flowgate/client/flow-wire';
import { isoTime } from '../../platform/iso-time.ts';

export type FlowEventRecord = {
  readonly eventId: string;
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly type: string;
  readonly atMs: number;
  /** As callers get it, with `sessionId`, `appId`, `version` and `stateVersion`. Contains no field values. */
  readonly data: FlowEvent['data'] & JsonMembers;
};

export function flowEventView({ eventId, sequence, type, atMs, data }: FlowEventRecord): FlowEvent {
  return { id: eventId, sequence, type, timestamp: isoTime(atMs), data };
}
