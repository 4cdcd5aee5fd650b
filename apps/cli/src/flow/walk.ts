/** What the parts of a walk through an app share: what was asked for, who can be asked, and who signs. */

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
  /** Undefined where no one can be asked. */
  readonly prompts: Prompts | undefined;
  readonly account: () => Promise<LocalAccount | undefined>;
  /** For programs: a JSON object on a line. */
  readonly report: (document: object) => Promise<void>;
  readonly url: string;
  /** The last answer, of which nothing is asked twice. */
  answered?: { readonly stateVersion: number; readonly actionId: string; readonly values: JsonMembers };
};
