/** Makes what every command holds. */

import { createFlowgate } from '@flowgate/client';
import { boundedFetch } from './bounded-fetch.ts';
import type { Cli } from './cli.ts';
import { createOutput } from './output/output.ts';
import { connect } from './profiles/connection.ts';
import { createProfiles } from './profiles/create-profiles.ts';
import type { Profile } from './profiles/profile.ts';
import type { CliSurroundings } from './surroundings.ts';

/** The options of `createProgram`. */
export type TypedOptions = {
  readonly json?: true;
  readonly profile?: string;
  readonly url?: string;
  readonly color: boolean;
};

/** `typed`: the options that every command takes, read when an action runs. */
export function createCli(surroundings: CliSurroundings, typed: () => TypedOptions): Cli {
  const { environment, stdout, stderr, clock, randomBytes } = surroundings;
  const output = createOutput({
    ...{ stdout, stderr, environment },
    isJson: () => typed().json === true,
    isPlain: () => !typed().color,
  });
  const profiles = createProfiles({
    ...surroundings,
    writes: () => ({ random: randomBytes, now: clock.now() }),
    warn: (text) => void output.note(`flowgate: ${text}`, 'yellow'),
  });
  const fetch = boundedFetch(surroundings.fetch, surroundings.signal);
  // The issuer's client is loaded when a token has to be renewed, or may have to be.
  const tokenOf = (name: string, profile: Profile) => {
    let present: (() => Promise<string>) | undefined;
    return async () => {
      present ??= (await import('./sign-in/renew-sign-in.ts')).presentToken(
        { surroundings, profiles, fetch },
        name,
        profile,
      );
      return present();
    };
  };
  const cli: Cli = {
    ...{ surroundings, output, profiles },
    asked: typed,
    connect: async (...kinds) => connect({ environment, profiles, presentToken: tokenOf }, typed(), kinds),
    async client(...kinds) {
      const { url, credential } = await cli.connect(...kinds);
      return createFlowgate({ ...credential, url, fetch });
    },
  };
  return cli;
}
