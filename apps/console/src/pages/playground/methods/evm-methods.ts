/** Methods of EVM networks: those of the document, and a few that it lacks. */
import { documented } from 'virtual:evm-methods';
import type { MethodGroup, MethodRow, Parameter } from './method-table.ts';

const block: Parameter = { name: 'Block', required: true, form: { kind: 'block', hash: true } };
const transaction = documented
  .find(({ name }) => name === 'eth_estimateGas')
  ?.parameters.find(({ form }) => form.kind === 'object');

const added: readonly MethodRow[] = [
  {
    ...{
      name: 'eth_getBlockReceipts',
      group: 'Blocks',
      summary: 'Returns the receipts of all transactions of a block.',
    },
    parameters: [block],
  },
  {
    ...{ name: 'eth_maxPriorityFeePerGas', group: 'Fees', parameters: [] },
    summary: 'Returns a suggested priority fee per gas, in wei.',
  },
  {
    ...{ name: 'eth_blobBaseFee', group: 'Fees', parameters: [] },
    summary: 'Returns the base fee for blobs in the next block, in wei.',
  },
  {
    ...{ name: 'eth_createAccessList', group: 'Transactions' },
    summary: 'Returns the addresses and storage slots that a transaction would touch.',
    parameters: [...(transaction === undefined ? [] : [transaction]), { ...block, required: false }],
  },
  { name: 'net_version', group: 'Node', summary: 'Returns the network ID in decimal.', parameters: [] },
  {
    name: 'web3_clientVersion',
    group: 'Node',
    summary: 'Returns the node’s client software and version.',
    parameters: [],
  },
];

const order: readonly MethodGroup[] = ['Blocks', 'Accounts', 'Transactions', 'Fees', 'Logs and filters', 'Node'];

const known = new Set(documented.map(({ name }) => name));
export const evmMethods: readonly MethodRow[] = [
  ...documented,
  ...added.filter(({ name }) => !known.has(name)),
].toSorted((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
