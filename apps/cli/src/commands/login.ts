/** `flowgate login`: signs a user in at the gateway's issuer and saves the sign-in in a profile. */

import { createFlowgate, type Flowgate } from '@flowgate/client';
import { boundedFetch } from '../bounded-fetch.ts';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { chooseGateway } from '../profiles/connection.ts';
import { defaultProfile } from '../profiles/create-profiles.ts';
import { gatewayUrl, isProfileName, type SignIn } from '../profiles/profile.ts';
import { signInByCode } from '../sign-in/code-sign-in.ts';
import { signInByDevice } from '../sign-in/device-sign-in.ts';
import { openIssuer, signInPlace } from '../sign-in/issuer.ts';
import { textOfStdin } from '../text-of-stdin.ts';
import { examples, type UserCommand } from '../user-command.ts';
import { wholeNumber } from '../whole-number.ts';

type LoginOptions = {
  readonly device?: true;
  readonly browser: boolean;
  readonly resource: boolean;
  readonly port?: number;
  readonly timeout: number;
  readonly withToken?: true;
};

export const loginCommand: UserCommand = (command, cli) => {
  command
    .description(
      "Sign in with the browser at the gateway's issuer, and save the sign-in in a profile. It renews itself if the issuer returns refresh tokens (scope offline_access).",
    )
    .argument('[gateway]', 'address of the gateway; default: that of the profile, or FLOWGATE_URL')
    .option('--device', 'show a code for a browser on another machine, if the issuer supports it')
    .option('--no-browser', 'print the address instead of opening a browser')
    .option('--port <number>', 'local port to which the browser returns; default: a free one', wholeNumber(1, 65_535))
    .option(
      '--no-resource',
      'do not send the gateway’s address to the issuer (RFC 8707); for issuers that reject it, such as Microsoft Entra',
    )
    .option('--timeout <seconds>', 'time to wait for the sign-in', wholeNumber(1, 3_600), 300)
    .option('--with-token', 'read an access token from standard input instead');
  examples(command, [
    ['flowgate login https://rpc.example.com', 'in the profile `default`, or one named after the host'],
    ['flowgate login https://rpc.example.com --profile work', 'in the profile `work`'],
    ['flowgate login --device', 'on a machine without a browser'],
    ['flowgate login --with-token < token.txt', 'with an existing token'],
  ]);
  command.action((gateway: string | undefined, options: LoginOptions) => login(cli, gateway, options));
};

async function login(cli: Cli, typed: string | undefined, options: LoginOptions): Promise<void> {
  const { output, profiles, runtime } = cli;
  const url = gatewayOf(cli, typed);
  const name = profileName(cli, url);
  // Checked before the user signs in at the issuer.
  profiles.prepare();
  const fetch = boundedFetch(runtime.fetch, runtime.signal);
  const user: { id?: string } = {};
  const accept = async ({ accessToken }: SignIn) => {
    user.id = (await createFlowgate({ url, token: accessToken, fetch }).whoAmI()).userId;
  };
  const signIn = options.withToken
    ? await signInByToken(cli, accept)
    : await signInAtIssuer(cli, createFlowgate({ url, fetch }), url, options, accept);
  const known = profiles.read(name);
  profiles.write(name, { ...(known?.url === url ? known : {}), url, signIn });
  profiles.use(name);
  const lasts = signIn.refreshToken !== undefined;
  await output.answer(
    { gateway: url, profile: name, userId: user.id, renews: lasts, expiresAt: expiry(signIn) },
    async () => {
      await output.say(`Signed in as ${user.id} at ${url}, profile ${name}.`, 'green');
      const until = expiry(signIn);
      if (lasts) await output.say('The sign-in renews itself.', 'dim');
      else if (until !== undefined) await output.say(`It is valid until ${until}.`, 'dim');
    },
  );
}

function expiry({ expiresAt }: SignIn): string | undefined {
  // A lifetime from a hostile issuer may exceed the range of dates.
  return expiresAt === undefined || expiresAt > 8.64e15 ? undefined : new Date(expiresAt).toISOString();
}

async function signInByToken({ runtime }: Cli, accept: (signIn: SignIn) => Promise<void>): Promise<SignIn> {
  const accessToken = (await textOfStdin(runtime.stdin, 65_536)).trim();
  if (!/^[\x21-\x7e]+$/.test(accessToken)) throw new CliProblem('usage', 'standard input contains no access token');
  const signIn: SignIn = { accessToken, issuer: '', clientId: '' };
  await accept(signIn);
  return signIn;
}

async function signInAtIssuer(
  { runtime, output }: Cli,
  client: Flowgate,
  url: string,
  { device, browser, resource, port = 0, timeout }: LoginOptions,
  accept: (signIn: SignIn) => Promise<void>,
): Promise<SignIn> {
  const place = signInPlace(url, await client.gateway.protectedResource(), resource);
  const issuer = await openIssuer(place, boundedFetch(runtime.fetch, runtime.signal));
  // A hostile gateway may name an issuer that the user trusts. The user reads which gateway receives the token before signing in.
  await output.note(`You sign in to the gateway ${url} at the issuer ${issuer.issuer}.`, 'bold');
  const settings = { runtime, output, issuer, place, timeoutSeconds: timeout, accept };
  return device ? signInByDevice(settings) : signInByCode(settings, { port, opensBrowser: browser });
}

function gatewayOf({ runtime, profiles, asked }: Cli, typed: string | undefined): string {
  if (typed === undefined) return chooseGateway({ environment: runtime.environment, profiles }, asked()).url;
  const url = gatewayUrl(typed);
  if (url === undefined)
    throw new CliProblem('usage', 'the gateway must be an http(s) address without user, password, query and fragment');
  return url;
}

/** `--profile`; otherwise the profile of this gateway; otherwise `default` if unused; otherwise the host's name. */
function profileName({ profiles, asked }: Cli, url: string): string {
  const { profile } = asked();
  if (profile !== undefined) return profile;
  const known = profiles.find(url)?.name;
  if (known !== undefined) return known;
  if (profiles.read(defaultProfile) === undefined) return defaultProfile;
  const host = new URL(url).host.replaceAll(/[^a-z0-9.-]/g, '-').slice(0, 63);
  if (isProfileName(host) && profiles.read(host) === undefined) return host;
  throw new CliProblem('usage', 'this gateway needs another profile name', 'Choose one with --profile NAME.');
}
