/** `flowgate networks`: the networks of the gateway and their state. */

import type { NetworkRecord } from '@flowgate/client';
import { collected } from '../collected.ts';
import type { Column } from '../output/table.ts';
import { examples, type UserCommand } from '../user-command.ts';

const columns: readonly Column<NetworkRecord>[] = [
  { title: 'NETWORK', of: ({ dlt, networkId }) => `${dlt}/${networkId}` },
  { title: 'NAME', of: ({ name }) => name, flexible: true },
  { title: 'STATE', of: ({ status }) => status },
  { title: 'CHAIN ID', of: ({ chainId }) => (chainId === undefined ? '' : String(chainId)), align: 'right' },
  { title: 'HEAD', of: ({ blockHeight }) => (blockHeight === undefined ? '' : String(blockHeight)), align: 'right' },
  { title: 'NODES', of: ({ nodes }) => `${nodes.healthy}/${nodes.total}`, align: 'right' },
  { title: '', of: (network) => (network.default ? 'default' : '') },
];

export const networksCommand: UserCommand = (command, cli) => {
  command.description('List the networks of the gateway with their state, newest block and healthy nodes.');
  examples(command, [
    ['flowgate networks', 'all networks'],
    ["flowgate networks --json | jq '.data[].networkId'", 'their ids'],
  ]);
  command.action(async () => {
    const client = await cli.client('token', 'apiKey');
    const data = await collected(client.networks.list());
    await cli.output.answer({ data }, () => cli.output.table(data, columns, 'This gateway has no networks.'));
  });
};
