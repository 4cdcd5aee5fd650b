/** What the gateway refuses at present because of maintenance (contract/administration#maintenance). */

/** Read by the edge on each request. */
export type Maintenance = {
  /** Undefined when the gateway refuses nothing. A plain property, because every request reads it. */
  current: MaintenanceNotice | undefined;
};

export type MaintenanceNotice = {
  /** The networks (`ethereum/dev`) whose calls are refused, or `all`; `undefined` if none. */
  readonly rpc: 'all' | ReadonlySet<string> | undefined;
  readonly rest: boolean;
  readonly flow: boolean;
  /** Shown to callers. */
  readonly message: string;
  readonly retryAfterSeconds: number;
};
