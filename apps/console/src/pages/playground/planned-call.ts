/** A call that is not sent yet. */
import type { RpcParams } from '@flowgate/client';

export type CallTarget = { readonly dlt: string; readonly networkId: string; readonly nodeId?: string };

export type PlannedCall = {
  readonly target: CallTarget;
  readonly method: string;
  readonly params: RpcParams;
};
