/** The shared context of a run: the options, the prompts and the signer. */

import type { JsonMembers } from '@flowgate/client';
import type { LocalAccount } from 'viem';
import type { Cli } from '../cli.ts';
import type { Given } from './given-values.ts';
import type { Prompts } from './prompts.ts';

export type RunOptions = {
  readonly set: readonly string[];
  readonly setFile: readonly string[];
  readonly action: readonly string[];
  readonly session?: string;
  readonly appVersion?: string;
  readonly startStep?: string;
  readonly keyFile?: string;
  readonly yes?: true;
  readonly payUpTo?: string;
  /** The token of `payUpTo`: `network/address`. */
  readonly payWith?: string;
  /** In seconds. */
  readonly wait: number;
};

export type Walk = {
  readonly cli: Cli;
  readonly options: RunOptions;
  readonly given: Given;
  /** Undefined without a terminal. */
  readonly prompts: Prompts | undefined;
  readonly account: () => Promise<LocalAccount | undefined>;
  /** For programs: one JSON object per line. */
  readonly report: (document: object) => Promise<void>;
  readonly url: string;
  /** The last answer; its valid values are not asked for again. */
  answered?: { readonly stateVersion: number; readonly actionId: string; readonly values: JsonMembers };
};
