/** The context of each user command: the process' runtime, the output, the profiles and the gateway with a credential. */

import type { Flowgate } from '@flowgate/client';
import type { Output } from './output/output.ts';
import type { Connection, CredentialKind } from './profiles/connection.ts';
import type { Profiles } from './profiles/create-profiles.ts';
import type { CliRuntime } from './runtime.ts';

export type Cli = {
  readonly runtime: CliRuntime;
  readonly output: Output;
  readonly profiles: Profiles;
  /** `--profile`, `--url`: read when the action runs. */
  readonly asked: () => { readonly profile?: string; readonly url?: string };
  /** The selected gateway with the first available credential of these kinds. Throws `CliProblem` when there is none. */
  readonly connect: (...kinds: readonly [CredentialKind, ...CredentialKind[]]) => Promise<Connection>;
  /** A client for that gateway. */
  readonly client: (...kinds: readonly [CredentialKind, ...CredentialKind[]]) => Promise<Flowgate>;
};
