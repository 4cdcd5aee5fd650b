/** `flowgate nodes`: lists the callable nodes, and adds and removes the caller's own. */

import type { AdministeredNode, NodeRecord } from '@flowgate/client';
import { FlowgateError } from '@flowgate/client/flowgate-error';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { collected } from '../collected.ts';
import { offer } from '../completion/offers.ts';
import { networkNames, ownNodeIds } from '../completion/value-sources.ts';
import { networkName } from '../network-name.ts';
import type { Column } from '../output/table.ts';
import { textOfStdin } from '../text-of-stdin.ts';
import { examples, type UserCommand } from '../user-command.ts';

type ListOptions = { readonly network?: string; readonly all?: true };
type AddOptions = { readonly label?: string; readonly private?: true };

export const nodesCommand: UserCommand = (command, cli) => {
  command.description('Manage the nodes that you may call: list them, and add or remove nodes of your own.');
  const add = command
    .command('add')
    .description('Register a node at an approved provider, by its URL with your provider key. Requires a sign-in.')
    .argument('<network>', 'dlt/id')
    .argument('<url>', 'URL of the node; - reads it from standard input, so that its key is not in the shell history')
    .option('--label <text>', 'display name')
    .option('--private', 'a node in the operator’s private network; for administrators')
    .action((network: string, url: string, options: AddOptions) => addNode(cli, network, url, options));
  offer(add, { network: networkNames });
  examples(add, [
    ['flowgate nodes add ethereum/mainnet https://eth-mainnet.g.alchemy.com/v2/KEY', 'a node of a provider'],
    ['flowgate nodes add ethereum/mainnet - < node-url.txt', 'without the provider key on the command line'],
  ]);
  const list = command
    .command('list')
    .description('List the nodes that you may call: your own first, newest first.')
    .option('--network <dlt/id>', 'only nodes of one network')
    .option('--all', 'nodes of all users, with owner and lag; for administrators')
    .action((options: ListOptions) => listNodes(cli, options));
  offer(list, { '--network': networkNames });
  examples(list, [
    ['flowgate nodes list --network ethereum/mainnet', 'nodes of one network'],
    ['flowgate nodes list --all', 'state of all nodes; for administrators'],
  ]);
  const remove = command
    .command('remove')
    .description('Remove nodes of your own. They receive no further calls. Requires a sign-in.')
    .argument('<nodeId...>', 'node id, as shown by `nodes list`')
    .action(async (nodeIds: readonly string[]) => {
      const client = await cli.client('token');
      for (const nodeId of nodeIds) {
        await client.nodes.remove(nodeId);
        if (!cli.output.isJson()) await cli.output.say(`Removed ${nodeId}.`);
      }
      await cli.output.answer({ removed: nodeIds }, async () => {});
    });
  offer(remove, { nodeId: ownNodeIds });
  examples(remove, [['flowgate nodes remove NODE_ID', 'one node']]);
};

async function addNode(cli: Cli, typed: string, address: string, options: AddOptions): Promise<void> {
  const network = networkName(typed);
  const url = address === '-' ? (await textOfStdin(cli.runtime.stdin, 65_536)).trim() : address;
  const client = await cli.client('token');
  const node = await client.nodes
    .register({
      ...network,
      url,
      ...(options.label === undefined ? {} : { label: options.label }),
      ...(options.private === true ? { kind: 'private' } : {}),
    })
    .catch((error: unknown) => {
      if (error instanceof FlowgateError && /^(no-answer|unreadable)$/.test(error.kind))
        throw new CliProblem(
          'unreachable',
          error.message,
          'The node may be registered all the same: flowgate nodes list',
        );
      throw error;
    });
  await cli.output.answer(node, async () => {
    await cli.output.say(`Registered ${node.nodeId}, ${node.status}.`, 'green');
    await cli.output.say(`flowgate rpc METHOD --node ${node.dlt}/${node.nodeId}`, 'dim');
  });
}

type Listed = NodeRecord & Pick<AdministeredNode, 'ownerId' | 'lagBlocks'>;
type NodeColumn = Column<Listed>;

const node: NodeColumn = { title: 'NODE', of: ({ nodeId }) => nodeId };
const network: NodeColumn = { title: 'NETWORK', of: ({ dlt, networkId }) => `${dlt}/${networkId}` };
const label: NodeColumn = { title: 'LABEL', of: ({ label: text }) => text ?? '', flexible: true };
const state: NodeColumn = {
  title: 'STATE',
  of: ({ status, cordoned }) => (cordoned ? `${status}, cordoned` : status),
};
const head: NodeColumn = { title: 'HEAD', of: ({ blockHeight }) => figure(blockHeight), align: 'right' };

/** Of the last five minutes, at the gateway that answers. */
const figures: readonly NodeColumn[] = [
  { title: 'P50', of: ({ last5Minutes }) => figure(last5Minutes?.p50Ms, ' ms'), align: 'right' },
  { title: 'P95', of: ({ last5Minutes }) => figure(last5Minutes?.p95Ms, ' ms'), align: 'right' },
  { title: 'ERRORS', of: ({ last5Minutes }) => percent(last5Minutes?.errorRate), align: 'right' },
  { title: 'CIRCUIT', of: circuitOf },
];

const columns: readonly NodeColumn[] = [
  node,
  network,
  label,
  { title: 'WHOSE', of: ({ source, shared }) => (source === 'operator' ? 'operator' : shared ? 'shared' : 'yours') },
  state,
  head,
  { title: 'CHECK', of: ({ latencyMs }) => figure(latencyMs, ' ms'), align: 'right' },
  ...figures,
];

const columnsOfAll: readonly NodeColumn[] = [
  node,
  network,
  { title: 'OWNER', of: ({ ownerId }) => ownerId ?? 'operator', flexible: true },
  state,
  head,
  { title: 'LAG', of: ({ lagBlocks }) => figure(lagBlocks), align: 'right' },
  ...figures,
];

function figure(value: number | undefined, unit = ''): string {
  return value === undefined ? '' : `${value}${unit}`;
}

function percent(share: number | undefined): string {
  return share === undefined ? '' : `${Number((share * 100).toFixed(2))} %`;
}

function circuitOf({ circuit }: Listed): string {
  if (circuit === undefined) return '';
  const { state: is, retryAfterSeconds } = circuit;
  return retryAfterSeconds === undefined ? is : `${is}, ${retryAfterSeconds} s`;
}

async function listNodes(cli: Cli, options: ListOptions): Promise<void> {
  const filter = options.network === undefined ? {} : { filter: networkName(options.network) };
  if (options.all === true) {
    const data = await collected((await cli.client('token')).nodes.everybodys.list(filter));
    await cli.output.answer({ data }, () => cli.output.table(data, columnsOfAll, 'There are no nodes.'));
    return;
  }
  const data = await collected((await cli.client('token', 'apiKey')).nodes.list(filter));
  await cli.output.answer({ data }, () => cli.output.table(data, columns, 'There are no nodes that you may call.'));
}
