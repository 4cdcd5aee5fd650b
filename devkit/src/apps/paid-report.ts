/** A Flow App that sells a report about the chain: the gateway takes the payment by x402 before it asks for the report. */
import type { PaymentReceipt, RenderRequest, RenderResponse, StepSpec } from '@flowgate/client/flow-wire';
import { type Address, formatUnits, parseUnits } from 'viem';
import { devTokenDecimals, devTokenDomain } from '../dev-token.ts';
import { type ChainReport, readChainReport } from './chain-report.ts';
import { connectTo, rejected, type SampleApp, withEntry } from './sample-app.ts';

export type PaidReportOptions = {
  readonly rpcUrl: string;
  readonly chainId: number;
  readonly token: Address;
  /** The address that is paid. */
  readonly payTo: Address;
};

/** Price of one block in the report, in development dollars. */
const pricePerBlock = '0.01';

export function paidReport(options: PaidReportOptions): SampleApp {
  const chain = connectTo(options.rpcUrl);
  return {
    app: {
      appId: 'flowgate/paid-report',
      name: 'A report about the chain',
      description: 'Figures of the newest blocks, paid for with development dollars over x402.',
      visibility: 'public',
    },
    manifest: {
      steps: ['order', 'pay', 'report'].map((stepId) => ({ stepId })),
      queries: [{ queryId: 'reports', path: '/reports' }],
      events: [{ type: 'report_sold' }],
    },
    renderStep: async (request) => {
      const { submission, state } = request;
      if (submission === undefined) return { step: orderStep(), state: {} };
      if (submission.stepId === 'order') return offer(options, Number(submission.fieldValues['blocks'] ?? 10));
      const blocks = blocksIn(state);
      // The gateway already refuses callers who have not paid. An app that sells something still checks the receipt.
      if (submission.paymentReceipt === undefined)
        return rejected(payStep(options, blocks), 'This step has to be paid for.');
      return sell(request, submission.paymentReceipt, await readChainReport(chain, options.token, blocks));
    },
  };
}

function offer(options: PaidReportOptions, blocks: number): RenderResponse {
  if (!Number.isSafeInteger(blocks) || blocks < 1 || blocks > 50)
    return rejected(orderStep(), 'Enter a whole number from 1 to 50.', 'blocks');
  return { step: payStep(options, blocks), state: { blocks } };
}

function sell({ appData }: RenderRequest, receipt: PaymentReceipt, report: ChainReport): RenderResponse {
  const sold = { paidBy: receipt.transaction, ...report };
  return {
    step: reportStep(report),
    appData: { set: { reports: withEntry(appData, 'reports', 'paidBy', sold) } },
    events: [{ type: 'report_sold', data: { paidBy: receipt.transaction, blocks: report.blocks } }],
  };
}

const priceOf = (blocks: number) => parseUnits(pricePerBlock, devTokenDecimals) * BigInt(blocks);

function orderStep(): StepSpec {
  return {
    stepId: 'order',
    title: 'A report about the newest blocks',
    description: `Each block costs ${pricePerBlock} development dollars.`,
    fields: [
      {
        ...{ fieldId: 'blocks', type: 'number', label: 'How many blocks', required: true, value: 10 },
        min: 1,
        max: 50,
      },
    ],
    actions: [{ actionId: 'order', label: 'Order' }],
  };
}

/** A step with `payment` requires payment for each submission, so this step contains nothing else. */
function payStep({ chainId, token, payTo }: PaidReportOptions, blocks: number): StepSpec {
  return {
    stepId: 'pay',
    title: 'Pay for the report',
    description: `The report about ${blocks} blocks costs ${formatUnits(priceOf(blocks), devTokenDecimals)} development dollars.`,
    fields: [],
    actions: [{ actionId: 'buy', label: 'Pay and read' }],
    payment: {
      accepts: [
        {
          ...{ scheme: 'exact', network: `eip155:${chainId}`, asset: token, amount: String(priceOf(blocks)), payTo },
          ...{ maxTimeoutSeconds: 120, extra: devTokenDomain },
        },
      ],
    },
  };
}

function reportStep(report: ChainReport): StepSpec {
  return {
    stepId: 'report',
    title: `Blocks ${report.firstBlock} to ${report.lastBlock}`,
    description: [
      `Transactions: ${report.transactions}`,
      `Gas used: ${report.gasUsed}`,
      `Base fee of the last block: ${report.baseFeePerGas} wei`,
      `Development dollars in the world: ${formatUnits(BigInt(report.tokenSupply), devTokenDecimals)}`,
    ].join('\n'),
    fields: [],
    actions: [],
    options: report,
    terminal: true,
  };
}

function blocksIn(state: RenderRequest['state']): number {
  const blocks = state['blocks'];
  if (typeof blocks !== 'number') throw new Error('The state holds no order.');
  return blocks;
}
