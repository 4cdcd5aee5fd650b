/** `flowgate logout`: revokes a profile's sign-in at the issuer and deletes its local credentials. */

import { tokenRevocation } from 'openid-client';
import { boundedFetch } from '../bounded-fetch.ts';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import type { SignIn } from '../profiles/profile.ts';
import { asking, openIssuer } from '../sign-in/issuer.ts';
import { examples, type UserCommand } from '../user-command.ts';

export const logoutCommand: UserCommand = (command, cli) => {
  command.description(
    'Revoke the sign-in of the current profile and delete its credentials, including a saved API key. The key remains valid until it is revoked.',
  );
  examples(command, [
    ['flowgate logout', 'the current profile'],
    ['flowgate logout --profile work', 'another one'],
  ]);
  command.action(async () => {
    const { output, profiles } = cli;
    const name = cli.asked().profile ?? profiles.current();
    const profile = profiles.read(name);
    if (profile === undefined) throw new CliProblem('usage', `there is no profile ${name}`);
    // Deleted locally first: the revocation at the issuer may fail.
    profiles.write(name, { url: profile.url });
    const isRevoked = profile.signIn === undefined || (await isEnded(cli, profile.signIn));
    await output.answer({ profile: name, gateway: profile.url, revoked: isRevoked }, async () => {
      await output.say(`Signed out of ${profile.url}.`);
      if (!isRevoked) await output.note('The issuer was not notified: the sign-in expires there by itself.', 'yellow');
      if (profile.apiKey) await output.note(`The API key ${profile.apiKey.keyId} stays valid until it is revoked.`);
    });
  });
};

/** Whether the issuer revoked the refresh token; true without a refresh token. */
async function isEnded({ runtime }: Cli, { issuer, clientId, refreshToken }: SignIn): Promise<boolean> {
  if (refreshToken === undefined) return true;
  try {
    const { configuration } = await openIssuer({ issuer, clientId }, boundedFetch(runtime.fetch, runtime.signal));
    if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
    await asking(issuer, () => tokenRevocation(configuration, refreshToken, { token_type_hint: 'refresh_token' }));
    return true;
  } catch (error) {
    if (error instanceof CliProblem) return false;
    throw error;
  }
}
