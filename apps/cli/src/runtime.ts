/** The interface between the CLI and its process: environment, input and output. */

import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import type { Fetch } from '@flowgate/client';

export type { Fetch } from '@flowgate/client';

/** An output stream to a terminal, a file or a pipe. */
export type Sink = {
  /** Resolves when the stream accepts more. */
  readonly write: (text: string | Uint8Array) => Promise<void>;
  readonly isTerminal: boolean;
  /** Characters per line; undefined unless the stream is a terminal. */
  readonly columns: number | undefined;
};

/** A terminal for questions: keys in, screen out. */
export type PromptStreams = { readonly input: Readable; readonly output: Writable };

/** The process around the CLI; tests supply their own. */
export type CliRuntime = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly home: string;
  readonly stdin: { readonly isTerminal: boolean; readonly bytes: () => AsyncIterable<Uint8Array> };
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly fetch: Fetch;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Absent when input or output is not a terminal. */
  readonly prompts?: PromptStreams;
  /** Opens a page in the user's browser; false without a browser. */
  readonly openBrowser: (url: string) => Promise<boolean>;
};
