/** An event of a session. */

import type { JsonObject } from '@flowgate/json/json-object';

export type FlowEventRecord = {
  readonly eventId: string;
  readonly sessionId: string;
  /** From 1, without gaps. */
  readonly sequence: number;
  readonly type: string;
  readonly atMs: number;
  /** As callers receive it, with `sessionId`, `appId`, `version` and `stateVersion`. Contains no field values. */
  readonly data: JsonObject & {
    readonly sessionId?: string;
    readonly appId: string;
    readonly version: string;
    readonly stateVersion?: number;
  };
};
