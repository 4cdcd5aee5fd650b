/** The process around the command line: where it runs, what it reads and writes. */

import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@flowgate/base/clock';
import type { RandomBytes } from '@flowgate/base/random';
import type { Fetch } from '@flowgate/client';

export type { Fetch } from '@flowgate/client';

/** A stream towards a terminal, a file or a pipe. */
export type Sink = {
  /** Resolves when there is room for more. */
  readonly write: (text: string | Uint8Array) => Promise<void>;
  readonly isTerminal: boolean;
  /** Characters in a line; undefined where it is not a terminal. */
  readonly columns: number | undefined;
};

/** A terminal for questions: keys in, screen out. */
export type PromptStreams = { readonly input: Readable; readonly output: Writable };

/** The process around the command line; tests bring their own. */
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
  /** Absent where no one can be asked: input or output is no terminal. */
  readonly prompts?: PromptStreams;
  /** Shows a page to the person; false where there is no browser. */
  readonly openBrowser: (url: string) => Promise<boolean>;
};
