/** The package's entry `@flowgate/client/flow`: runs Flow Apps, for pages and terminals. */

// biome-ignore lint/performance/noBarrelFile: a package's entry is the list of what its users may import
export { visibleFields } from '../visible-fields.ts';
export { createFlowRun } from './create-flow-run.ts';
export type { FlowAnswer, FlowRun, FlowRunBeginning, FlowRunCall, FlowRunOptions } from './flow-run.ts';
export type { FlowRunRecord, PendingSubmission, SignedValues } from './flow-run-record.ts';
export type { FlowRunPhase, FlowRunState } from './flow-run-state.ts';
export {
  type FlowHandlers,
  type PaymentAsked,
  type RunFlowOptions,
  runFlow,
  type SignatureAsked,
  type StepAsked,
  type WaitAsked,
} from './run-flow.ts';
export { type WalletTransaction, walletTransaction } from './wallet-transaction.ts';
