/** `flowgate keys`: mint, list and revoke API keys. */

import type { ApiKeyRecord } from '@flowgate/client';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { collected } from '../collected.ts';
import { offer } from '../completion/offers.ts';
import { keyIds } from '../completion/value-sources.ts';
import { momentFrom, shownTime } from '../moments.ts';
import type { Column } from '../output/table.ts';
import { examples, type UserCommand } from '../user-command.ts';

type MintOptions = { readonly expires?: string; readonly save?: true };

export const keysCommand: UserCommand = (command, cli) => {
  command.description('Manage API keys, with which applications call JSON-RPC. Requires a sign-in.');
  const mint = command
    .command('mint')
    .description('Create a key and print it once. The gateway stores only its hash.')
    .argument('<label>', 'purpose of the key; 1 to 100 characters')
    .option('--expires <when>', 'expiry, such as 90d, 12h or 2027-01-31T00:00:00Z; default: never')
    .option('--save', 'save the key in the profile, for `rpc`, instead of printing it')
    .action((label: string, options: MintOptions) => mintKey(cli, label, options));
  examples(mint, [
    ['flowgate keys mint laptop --save', 'a key for this command line'],
    ['KEY=$(flowgate keys mint ci --expires 90d)', 'standard output contains only the key'],
  ]);
  const list = command
    .command('list')
    .description('List your keys, newest first, without the keys themselves.')
    .option('--all', 'include revoked and expired keys')
    .action((options: { readonly all?: true }) => listKeys(cli, options.all === true));
  examples(list, [['flowgate keys list --all', 'including revoked and expired keys']]);
  const revoke = command
    .command('revoke')
    .description('Revoke keys permanently. The gateway that answers refuses them at once.')
    .argument('<keyId...>', 'key id, as shown by `keys list`')
    .action((typed: readonly string[]) => revokeKeys(cli, typed));
  offer(revoke, { keyId: keyIds });
  examples(revoke, [['flowgate keys revoke KEY_ID', 'by id, not by the key itself']]);
};

async function mintKey(cli: Cli, label: string, { expires, save }: MintOptions): Promise<void> {
  const { output, profiles, runtime } = cli;
  const { source, url } = await cli.connect('token');
  const name = 'profile' in source ? source.profile : profiles.find(url)?.name;
  if (save && name === undefined)
    throw new CliProblem('usage', '--save needs a profile', `flowgate login ${url} makes one.`);
  // A key that cannot be saved is not created.
  if (save) profiles.prepare();
  const expiresAt = expires === undefined ? undefined : momentFrom(expires, runtime.clock.now());
  const client = await cli.client('token');
  const minted = await client.apiKeys
    .mint({ label, ...(expiresAt === undefined ? {} : { expiresAt }) })
    .catch(reported);
  const { apiKey, ...facts } = minted;
  if (save && name !== undefined) {
    const profile = profiles.read(name) ?? { url };
    profiles.write(name, { ...profile, apiKey: { keyId: facts.keyId, apiKey } });
    await output.answer({ ...facts, profile: name }, () =>
      output.say(`The key ${facts.keyId} is saved in the profile ${name}; rpc uses it.`, 'green'),
    );
    if (profile.apiKey)
      await output.note(`The one that it replaces, ${profile.apiKey.keyId}, stays valid until it is revoked.`);
    return;
  }
  await output.answer(minted, async () => {
    await output.say(apiKey);
    const lasts = facts.expiresAt === undefined ? 'does not expire' : `is valid until ${facts.expiresAt}`;
    await output.note(`Store it now: it is not shown again. Its id is ${facts.keyId}, and it ${lasts}.`, 'dim');
  });
}

/** A request without an answer, or with an answer of a proxy, may have created a key. */
function reported(error: unknown): never {
  if (error instanceof FlowgateError && /^(no-answer|unreadable)$/.test(error.kind))
    throw new CliProblem('unreachable', error.message, 'The key may exist: flowgate keys list');
  throw error;
}

const columns = (now: number): readonly Column<ApiKeyRecord>[] => [
  { title: 'KEY ID', of: ({ keyId }) => keyId },
  { title: 'LABEL', of: ({ label }) => label, flexible: true },
  { title: 'STATE', of: (key) => stateOf(key, now) },
  { title: 'CREATED', of: ({ createdAt }) => shownTime(createdAt) },
  { title: 'LAST USED', of: ({ lastUsedAt }) => (lastUsedAt === undefined ? 'never' : shownTime(lastUsedAt)) },
  { title: 'EXPIRES', of: ({ expiresAt }) => (expiresAt === undefined ? 'never' : shownTime(expiresAt)) },
];

function stateOf({ revokedAt, expiresAt }: ApiKeyRecord, now: number): 'active' | 'revoked' | 'expired' {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

async function listKeys(cli: Cli, isAll: boolean): Promise<void> {
  const now = cli.runtime.clock.now();
  const keys = await collected((await cli.client('token')).apiKeys.list());
  const data = keys.filter((key) => isAll || stateOf(key, now) === 'active');
  await cli.output.answer({ data }, () =>
    cli.output.table(data, columns(now), 'No keys. flowgate keys mint LABEL makes one.'),
  );
}

async function revokeKeys(cli: Cli, typed: readonly string[]): Promise<void> {
  const { output, profiles } = cli;
  const { url } = await cli.connect('token');
  const client = await cli.client('token');
  for (const keyId of typed) {
    // A pasted key must not appear in an error or be sent as part of a URL.
    if (keyId.includes('.')) throw new CliProblem('usage', 'revoke takes the id of a key, the part before the dot');
    await client.apiKeys.revoke(keyId);
    for (const name of profiles.names()) {
      const profile = profiles.read(name);
      if (profile?.url !== url || profile.apiKey?.keyId !== keyId) continue;
      const { apiKey: _, ...rest } = profile;
      profiles.write(name, rest);
    }
    if (!output.isJson()) await output.say(`Revoked ${keyId}.`);
  }
  await output.answer({ revoked: typed }, async () => {});
}
