/** A generator's orders and reports: plain data that crosses a process boundary. */

/** The requests: one for each key, ids counting up from `firstId`, sent in turn and repeatedly. */
export type LoadRequests = {
  readonly port: number;
  /** `{key}` stands for the key. */
  readonly path: string;
  /** The header for the key; absent when the path contains it. */
  readonly keyHeader?: string;
  readonly keys: readonly string[];
  readonly method: string;
  /** In a text among them `{fresh}` stands for 16 hexadecimal digits that are others each time that a request is sent. */
  readonly params: readonly unknown[];
  /** Calls in one body; 1 is a bare call, no array. */
  readonly batchSize: number;
};

/** What every answer must have (status), and every so-many-th is parsed for (body). */
export type LoadExpectation = {
  readonly status: number;
  readonly body: 'result' | 'rpc-error' | 'standard-error' | 'any';
  /** Another status that at most one answer in a hundred may have: a limit's window that slid. */
  readonly toleratedStatus?: number;
};

export type LoadJob = {
  readonly requests: LoadRequests;
  readonly expectation: LoadExpectation;
  readonly connections: number;
  /** Unmeasured closed-loop time before `measure`; with 0 the first request is measured. */
  readonly warmUpMs: number;
};

/** How a measurement ends and what paces it. */
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
  /** How late the generator itself was, 99th percentile: above a fraction of p50 the latencies are not meaningful. Open loop only. */
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

/** Both ends belong to this repository: the tag is checked, the rest is trusted. */
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
