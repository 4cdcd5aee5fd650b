/** A generator's commands and reports: plain data that crosses a process boundary. */

/** The requests: one for each key, with ids that count up from `firstId`, sent in turn and repeatedly. */
export type LoadRequests = {
  readonly port: number;
  /** `{key}` is replaced by the key. */
  readonly path: string;
  /** The header for the key; absent when the path contains the key. */
  readonly keyHeader?: string;
  readonly keys: readonly string[];
  readonly method: string;
  /** `{fresh}` in a text is replaced by 16 hexadecimal digits that differ each time that a request is sent. */
  readonly params: readonly unknown[];
  /** Calls in one body; 1 is a single call, not an array. */
  readonly batchSize: number;
};

/** The expected status of each answer, and the expected body of a sample. */
export type LoadExpectation = {
  readonly status: number;
  readonly body: 'result' | 'rpc-error' | 'standard-error' | 'any';
  /** Another status that at most 1% of answers may have, for a limit's sliding window. */
  readonly toleratedStatus?: number;
};

export type LoadJob = {
  readonly requests: LoadRequests;
  readonly expectation: LoadExpectation;
  readonly connections: number;
  /** Unmeasured closed-loop time before `measure`; with 0 the first request is measured. */
  readonly warmUpMs: number;
};

/** The end and the pace of a measurement. */
export type LoadPace =
  | { readonly kind: 'closed'; readonly durationMs: number }
  /** Every request once. */
  | { readonly kind: 'once' }
  /** Latency counts from the intended send time. */
  | { readonly kind: 'open'; readonly perSecond: number; readonly durationMs: number };

export type LoadResult = {
  readonly answers: number;
  readonly durationMs: number;
  readonly p50Us: number;
  readonly p99Us: number;
  readonly p999Us: number;
  readonly maxUs: number;
  /** Answers with the tolerated status. */
  readonly tolerated: number;
  /** The generator's own lateness, 99th percentile. If it exceeds a fraction of p50, the latencies are not meaningful. Open loop only. */
  readonly lateP99Us?: number;
};

export type GeneratorCommand =
  | { readonly kind: 'prepare'; readonly job: LoadJob }
  | { readonly kind: 'measure'; readonly pace: LoadPace }
  | { readonly kind: 'release' };

export type GeneratorReport =
  | { readonly kind: 'ready' }
  | { readonly kind: 'measured'; readonly result: LoadResult }
  | { readonly kind: 'released' }
  | { readonly kind: 'failed'; readonly message: string };

/** Both ends belong to this repository: the tag is checked, the other members are trusted. */
export function isGeneratorCommand(message: unknown): message is GeneratorCommand {
  return hasKind(message, ['prepare', 'measure', 'release']);
}

export function isGeneratorReport(message: unknown): message is GeneratorReport {
  return hasKind(message, ['ready', 'measured', 'released', 'failed']);
}

function hasKind(message: unknown, kinds: readonly string[]): boolean {
  return (
    typeof message === 'object' &&
    message !== null &&
    'kind' in message &&
    typeof message.kind === 'string' &&
    kinds.includes(message.kind)
  );
}
