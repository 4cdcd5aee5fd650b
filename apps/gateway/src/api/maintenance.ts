/** What is refused at present because of maintenance (contract/administration#maintenance). */

/** As the edge asks for it at each request. */
export type Maintenance = {
  /** Undefined when nothing is refused; what is asked of every request is this one property. */
  current: MaintenanceNotice | undefined;
};

export type MaintenanceNotice = {
  /** `all`, or the networks (`ethereum/dev`) whose calls are refused; undefined: none. */
  readonly rpc: 'all' | ReadonlySet<string> | undefined;
  readonly rest: boolean;
  readonly flow: boolean;
  /** For callers. */
  readonly message: string;
  readonly retryAfterSeconds: number;
};
