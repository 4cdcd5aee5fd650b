/** Creates the context of user commands. */

import { createFlowgate } from '@flowgate/client';
import { boundedFetch } from './bounded-fetch.ts';
import type { Cli } from './cli.ts';
import { createOutput } from './output/output.ts';
import { connect } from './profiles/connection.ts';
import { createProfiles } from './profiles/create-profiles.ts';
import type { Profile } from './profiles/profile.ts';
import type { CliRuntime } from './runtime.ts';

/** The common options of `createProgram`. */
export type TypedOptions = {
  readonly json?: true;
  readonly profile?: string;
  readonly url?: string;
  readonly color: boolean;
};

/** `typed`: the common options, read when an action runs. */
export function createCli(runtime: CliRuntime, typed: () => TypedOptions): Cli {
  const { environment, stdout, stderr, clock, randomBytes } = runtime;
  const output = createOutput({
    ...{ stdout, stderr, environment },
    isJson: () => typed().json === true,
    isPlain: () => !typed().color,
  });
  const profiles = createProfiles({
    ...runtime,
    writes: () => ({ random: randomBytes, now: clock.now() }),
    warn: (text) => void output.note(`flowgate: ${text}`, 'yellow'),
  });
  const fetch = boundedFetch(runtime.fetch, runtime.signal);
  // The OpenID client is loaded only when a profile's token is used, because the token may have to be renewed.
  const tokenOf = (name: string, profile: Profile) => {
    let present: (() => Promise<string>) | undefined;
    return async () => {
      present ??= (await import('./sign-in/renew-sign-in.ts')).presentToken(
        { runtime, profiles, fetch },
        name,
        profile,
      );
      return present();
    };
  };
  const cli: Cli = {
    ...{ runtime, output, profiles },
    asked: typed,
    connect: async (...kinds) => connect({ environment, profiles, presentToken: tokenOf }, typed(), kinds),
    async client(...kinds) {
      const { url, credential } = await cli.connect(...kinds);
      return createFlowgate({ ...credential, url, fetch });
    },
  };
  return cli;
}
