/** The package `@flowgate/client`: calls a gateway, reads its answers and receives its webhooks. */

export type { Administration, AuditFilter, MaintenanceControl, UserAdministration } from './administration.ts';
export type { ApiKeys } from './api-keys.ts';
export type { Catalog, Catalogue, Contracts, NetworkName, Networks } from './catalog.ts';
// biome-ignore lint/performance/noBarrelFile: a package's entry is the list of what its users may import
export { createFlowgate, type Flowgate, type FlowgateOptions } from './create-flowgate.ts';
export type { Credential, SecretSource } from './credential.ts';
export type { DeployedContractFilter, DeployedContracts } from './deployed-contracts.ts';
export type { DepositFilter, Deposits } from './deposits.ts';
export type { Flow } from './flow.ts';
export type { FlowApps, FlowVersions } from './flow-apps.ts';
export type { FollowOptions } from './flow-follow.ts';
export type { EventOptions, FlowSessions, SessionFilter, StartOptions, SubmitOptions } from './flow-sessions.ts';
export type { FlowSubscriptions } from './flow-subscriptions.ts';
export {
  type AnswerFacts,
  type FieldFinding,
  FlowgateError,
  type FlowgateFailure,
  type RateLimit,
} from './flowgate-error.ts';
export type { GatewayRoutes } from './gateway-routes.ts';
export type { History, HistoryFilter } from './history.ts';
export { newIdempotencyKey } from './idempotency-key.ts';
export type { JsonRpc, RpcCall, RpcOptions, RpcOutcome, RpcParams, RpcTarget } from './json-rpc.ts';
export type { NodeFilter, Nodes } from './nodes.ts';
export type { Paged, PageOptions } from './paged.ts';
export type { OwnPolicies, Policies } from './policies.ts';
export type { Retry, RetryOptions } from './retry.ts';
export type { Stakes } from './stakes.ts';
export type { CallOptions, Fetch, OnAnswer } from './transport.ts';
export type { AdminUsageQuestion, ReadUsage, UsageQuestion } from './usage.ts';
export {
  type SignedHeaders,
  type SignedMessage,
  type SignedRequest,
  type VerifyOptions,
  verifySignature,
} from './verify-signature.ts';
export { verifyWebhook } from './verify-webhook.ts';
export type { Wallets } from './wallets.ts';
export type { WatchOptions } from './watch-record.ts';
export { WebhookError, type WebhookProblem } from './webhook-error.ts';
export type * from './wire.ts';
export type { WithdrawalFilter, Withdrawals } from './withdrawals.ts';
