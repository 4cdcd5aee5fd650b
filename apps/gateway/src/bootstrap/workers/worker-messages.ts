/** The messages between a supervisor and its workers, over the runtime's IPC channel of a child process. */

import type { MetricsSnapshot } from '@flowgate/telemetry/metrics/snapshot';
import type { Config } from '../../config/config.ts';
import type { Answer, Question } from './process-questions.ts';

/** `begin` carries the configuration as the supervisor read it, so that a replacement has the same one as the other workers. */
export type ToWorker =
  | { readonly kind: 'begin'; readonly config: Config }
  /** `handsOver`: another process has its place, and no call is refused. */
  | { readonly kind: 'drain'; readonly signal: string; readonly handsOver: boolean }
  /** `metrics`: its `MetricsSnapshot`, undefined when it counts nothing. `ready`: whether it can serve. */
  | Question<'metrics' | 'ready'>
  | Answer;

/** `listening`: the worker receives messages from now on. */
export type ToSupervisor =
  | { readonly kind: 'listening' }
  | { readonly kind: 'serving' }
  | { readonly kind: 'last-metrics'; readonly metrics: MetricsSnapshot }
  /** The numbers of the workers that cannot serve, except the one that asks. */
  | Question<'unready-others'>
  | Answer;
