/** The package's entry `@flowgate/client/flow-app`: to write, serve and test Flow Apps. */

// biome-ignore lint/performance/noBarrelFile: a package's entry is the list of what its users may import
export { type AnswerStore, createMemoryStore, type MemoryStoreOptions } from './answer-store.ts';
export { type CheckedAnswer, checkAnswer, type Declared } from './check-answer.ts';
export { createFlowApp, type FlowApp, type FlowAppDeclaration } from './create-flow-app.ts';
export { FlowAppError } from './flow-app-error.ts';
export {
  createFlowAppTest,
  type FlowAppTest,
  type FlowAppTestOptions,
  type FlowAppTestSession,
  type Outcome,
  type StartInput,
  type SubmitInput,
} from './flow-app-test.ts';
export {
  type Answering,
  createFlowAppHandler,
  type FlowAppHandler,
  type FlowAppOptions,
  type FlowAppReducer,
  type Incoming,
  type Outgoing,
  type RenderStep,
} from './handler.ts';
export { type NodeRequest, type NodeResponse, toNodeListener } from './node-listener.ts';
export { type MessageToSign, newSigningSecret, signMessage } from './sign-message.ts';
export type {
  ActionContext,
  ActionDeclaration,
  ActionDeclarations,
  FieldDeclaration,
  FieldDeclarations,
  Next,
  Showing,
  StartContext,
  Step,
  StepDeclaration,
  StepTexts,
  SubmittedValues,
  ValuesOf,
} from './step-types.ts';
export { FlowAppTestError } from './test-checks.ts';
