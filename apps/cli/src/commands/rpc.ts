/** `flowgate rpc`: one JSON-RPC call, or a batch from standard input. */

import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { offer } from '../completion/offers.ts';
import { methodNames, networkNames, nodeIds } from '../completion/value-sources.ts';
import { batchBody, callBody, callBodyOf } from '../rpc/rpc-body.ts';
import { streamCall } from '../rpc/stream-call.ts';
import { textOfStdin } from '../text-of-stdin.ts';
import { examples, type UserCommand } from '../user-command.ts';

type RpcOptions = {
  readonly network?: string;
  readonly node?: string;
  readonly params?: string;
  readonly batch?: true;
};

/** More than a gateway accepts in a body by default. */
const maxStdinBytes = 16 * 1_048_576;

export const rpcCommand: UserCommand = (command, cli) => {
  command
    .description(
      'Call a method and print its result, strings without quotes; with --json the complete response. A parameter is parsed as JSON if possible, and is a string otherwise. Requires an API key.',
    )
    .argument('[method]', 'such as eth_blockNumber')
    .argument('[params...]', 'parameters by position')
    .option('--network <dlt/id>', 'network; default: the gateway’s default network')
    .option('--node <id>', 'a specific node: its id, or dlt/id')
    .option('--params <json>', 'all parameters as a JSON array or object; - reads them from standard input')
    .option('--batch', 'calls from standard input: a JSON array, or one call per line');
  offer(command, { method: methodNames, '--network': networkNames, '--node': nodeIds });
  examples(command, [
    ['flowgate rpc eth_blockNumber', 'the number of the newest block'],
    ['flowgate rpc eth_getBalance 0xd8dA…6045 latest', 'parameters by position'],
    ['flowgate rpc eth_call \'{"to":"0x…","data":"0x…"}\' latest --network ethereum/dev', 'a parameter as JSON'],
    ['flowgate rpc getSlot --network solana/mainnet', 'another ledger'],
    ['flowgate rpc --batch < calls.jsonl', '{"method":"eth_chainId"} on each line'],
  ]);
  command.action(async (method: string | undefined, params: readonly string[], options: RpcOptions) => {
    const body = await bodyOf(cli, method, params, options);
    const connection = await cli.connect('apiKey');
    await streamCall(cli, connection, { path: await pathOf(cli, options), body, isBatch: options.batch === true });
  });
};

async function bodyOf(
  { runtime }: Cli,
  method: string | undefined,
  params: readonly string[],
  options: RpcOptions,
): Promise<string> {
  if (options.batch === true) {
    if (method !== undefined || options.params !== undefined)
      throw new CliProblem('usage', '--batch takes its calls from standard input, and no METHOD');
    return batchBody(await textOfStdin(runtime.stdin, maxStdinBytes));
  }
  if (method === undefined) throw new CliProblem('usage', 'rpc needs a METHOD, or --batch');
  if (options.params === undefined) return callBody(method, params);
  if (params.length > 0) throw new CliProblem('usage', 'give PARAMS or --params, not both');
  return callBodyOf(method, options.params === '-' ? await textOfStdin(runtime.stdin, maxStdinBytes) : options.params);
}

async function pathOf(cli: Cli, { network, node }: RpcOptions): Promise<string> {
  if (network !== undefined && node !== undefined) throw new CliProblem('usage', 'give --network or --node, not both');
  if (network !== undefined) {
    const { dlt, id } = pair(network) ?? misnamed('--network', 'dlt/id, such as ethereum/mainnet');
    return `/dlts/${dlt}/networks/${id}/rpc`;
  }
  if (node === undefined) return '/rpc';
  const named = pair(node) ?? { dlt: await ledgerOf(cli, node), id: encodeURIComponent(node) };
  return `/dlts/${named.dlt}/nodes/${named.id}/rpc`;
}

async function ledgerOf(cli: Cli, nodeId: string): Promise<string> {
  const { dlt } = await (await cli.client('apiKey')).nodes.get(nodeId);
  return encodeURIComponent(dlt);
}

/** The network or node as path segments. */
function pair(text: string): { readonly dlt: string; readonly id: string } | undefined {
  const [dlt = '', id = '', ...rest] = text.split('/');
  if (dlt === '' || id === '' || rest.length > 0 || [dlt, id].some((each) => /^\.\.?$/.test(each))) return undefined;
  return { dlt: encodeURIComponent(dlt), id: encodeURIComponent(id) };
}

function misnamed(option: string, form: string): never {
  throw new CliProblem('usage', `${option} is ${form}`);
}
