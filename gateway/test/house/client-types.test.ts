/** The client's types are those of the server's schemas: the compiler compares them member by member (docs/decisions/0056). */

import { expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { BodyOf, InputOf } from '@flowgate/body-schema/body-schema';
import type * as bridge from '@flowgate/client/bridge-wire';
import type * as flow from '@flowgate/client/flow-wire';
import type * as ledger from '@flowgate/client/ledger-wire';
import type * as usage from '@flowgate/client/usage-wire';
import type * as wire from '@flowgate/client/wire';
import type { auditEntry } from '../../src/access/administration/audit-wire.ts';
import type { listedUser } from '../../src/access/administration/list-users.ts';
import type { maintenanceBody, maintenanceInput } from '../../src/access/administration/maintenance-wire.ts';
import type { upcomingMaintenance } from '../../src/access/administration/upcoming-maintenance.ts';
import type {
  userLimitsBody,
  userLimitsInput,
  userLimitsReport,
} from '../../src/access/administration/user-limits-wire.ts';
import type { apiKeyPage, apiKeyRecord, mintedApiKey } from '../../src/access/api-key-wire.ts';
import type {
  adminPolicyQuestion,
  policyExplanation,
  policyQuestion,
} from '../../src/access/firewall/explain-policies.ts';
import type { policyInput, policyPatch } from '../../src/access/firewall/policy-input.ts';
import type { policy } from '../../src/access/firewall/policy-wire.ts';
import type { policyPreview } from '../../src/access/firewall/preview-policy.ts';
import type { apiKeyInput } from '../../src/access/mint-request.ts';
import type { userId } from '../../src/access/routes.ts';
import type { challengeInput, wallet, walletChallenge, walletInput } from '../../src/access/wallets/wallet-wire.ts';
import type { whoAmI } from '../../src/access/who-am-i.ts';
import type { jsonRpcError, standardError } from '../../src/api/error-wire.ts';
import type { preparedTransactions } from '../../src/api/prepared-transactions.ts';
import type { paymentReceipt, paymentRequired, problemDetails } from '../../src/api/problem-wire.ts';
import type { bridgeRecord } from '../../src/bridge/bridge-routes.ts';
import type { deposit } from '../../src/bridge/deposits/deposit-wire.ts';
import type { historyEntry } from '../../src/bridge/history/history-wire.ts';
import type { indexers } from '../../src/bridge/indexing/indexer-wire.ts';
import type { replayInput } from '../../src/bridge/prepared/replay-input.ts';
import type { bridgeTransferInput } from '../../src/bridge/prepared/transfer-input.ts';
import type { withdrawal, withdrawalStepInput } from '../../src/bridge/withdrawals/withdrawal-wire.ts';
import type { renderResponse } from '../../src/flow/app-responses/render-response-wire.ts';
import type { stepSpec, stepWarning } from '../../src/flow/app-responses/step-wire.ts';
import type { renderRequest } from '../../src/flow/apps/render-request-wire.ts';
import type { flowEvent, flowEventPage, webhookBody } from '../../src/flow/events/event-wire.ts';
import type { subscriptionInput } from '../../src/flow/events/subscription-input.ts';
import type { subscription } from '../../src/flow/events/subscription-wire.ts';
import type { field } from '../../src/flow/fields/field-wire.ts';
import type { appInput } from '../../src/flow/registry/app-input.ts';
import type { app } from '../../src/flow/registry/app-wire.ts';
import type { versionInput } from '../../src/flow/registry/version-input.ts';
import type { versionBody } from '../../src/flow/registry/version-wire.ts';
import type { queryResult } from '../../src/flow/sessions/query-routes.ts';
import type { sessionInput, stepSubmission } from '../../src/flow/sessions/session-requests.ts';
import type { session } from '../../src/flow/sessions/session-wire.ts';
import type { health, protectedResource, readiness } from '../../src/http/edge-wire.ts';
import type { contractRecord } from '../../src/ledgers/contracts/contract-wire.ts';
import type { deployedContract } from '../../src/ledgers/deployments/deployment-wire.ts';
import type { ledgerRecord, networkRecord, providerRecord } from '../../src/ledgers/ledger-wire.ts';
import type { administeredNodePatch, nodeInput, nodePatch } from '../../src/ledgers/nodes/node-input.ts';
import type { administeredNode, node as nodeRecord } from '../../src/ledgers/nodes/node-wire.ts';
import type { stake, stakePage, stakeTransactionInput } from '../../src/ledgers/stakes/stake-wire.ts';
import type { jsonRpcResponse } from '../../src/rpc/message-wire.ts';
import type { usageReport, usageRow } from '../../src/usage/usage-wire.ts';
import type { Alike } from './alike.ts';

/** A line that compiles only when the schema and the client's type of that name are the same. */
const alike = {
  ApiKeyInput: true satisfies Alike<InputOf<typeof apiKeyInput>, wire.ApiKeyInput>,
  ApiKeyRecord: true satisfies Alike<BodyOf<typeof apiKeyRecord>, wire.ApiKeyRecord>,
  App: true satisfies Alike<BodyOf<typeof app>, flow.App>,
  AppInput: true satisfies Alike<InputOf<typeof appInput>, flow.AppInput>,
  AuditEntry: true satisfies Alike<BodyOf<typeof auditEntry>, wire.AuditEntry>,
  ContractRecord: true satisfies Alike<BodyOf<typeof contractRecord>, ledger.ContractRecord>,
  Indexers: true satisfies Alike<BodyOf<typeof indexers>, bridge.Indexers>,
  JsonRpcError: true satisfies Alike<BodyOf<typeof jsonRpcError>['error'], wire.JsonRpcError>,
  JsonRpcResponse: true satisfies Alike<BodyOf<typeof jsonRpcResponse>, wire.JsonRpcResponse>,
  LedgerRecord: true satisfies Alike<BodyOf<typeof ledgerRecord>, ledger.LedgerRecord>,
  MaintenanceInput: true satisfies Alike<InputOf<typeof maintenanceInput>, wire.MaintenanceInput>,
  MaintenanceStatus: true satisfies Alike<BodyOf<typeof maintenanceBody>, wire.MaintenanceStatus>,
  MintedApiKey: true satisfies Alike<BodyOf<typeof mintedApiKey>, wire.MintedApiKey>,
  NetworkRecord: true satisfies Alike<BodyOf<typeof networkRecord>, ledger.NetworkRecord>,
  Page: true satisfies Alike<BodyOf<typeof apiKeyPage>, wire.Page<wire.ApiKeyRecord>>,
  PaymentReceipt: true satisfies Alike<BodyOf<typeof paymentReceipt>, flow.PaymentReceipt>,
  PaymentRequired: true satisfies Alike<BodyOf<typeof paymentRequired>, flow.PaymentRequired>,
  AdminPolicyQuestion: true satisfies Alike<InputOf<typeof adminPolicyQuestion>, wire.AdminPolicyQuestion>,
  Policy: true satisfies Alike<BodyOf<typeof policy>, wire.Policy>,
  PolicyPreview: true satisfies Alike<BodyOf<typeof policyPreview>, wire.PolicyPreview>,
  PolicyExplanation: true satisfies Alike<BodyOf<typeof policyExplanation>, wire.PolicyExplanation>,
  PolicyInput: true satisfies Alike<InputOf<typeof policyInput>, wire.PolicyInput>,
  PolicyPatch: true satisfies Alike<InputOf<typeof policyPatch>, wire.PolicyPatch>,
  PolicyQuestion: true satisfies Alike<InputOf<typeof policyQuestion>, wire.PolicyQuestion>,
  ProblemDetails: true satisfies Alike<BodyOf<typeof problemDetails>, flow.ProblemDetails>,
  NodeInput: true satisfies Alike<InputOf<typeof nodeInput>, ledger.NodeInput>,
  NodePatch: true satisfies Alike<InputOf<typeof nodePatch>, ledger.NodePatch>,
  NodeRecord: true satisfies Alike<BodyOf<typeof nodeRecord>, ledger.NodeRecord>,
  AdministeredNode: true satisfies Alike<BodyOf<typeof administeredNode>, ledger.AdministeredNode>,
  AdministeredNodePatch: true satisfies Alike<InputOf<typeof administeredNodePatch>, ledger.AdministeredNodePatch>,
  ProviderRecord: true satisfies Alike<BodyOf<typeof providerRecord>, ledger.ProviderRecord>,
  ProtectedResource: true satisfies Alike<BodyOf<typeof protectedResource>, wire.ProtectedResource>,
  Readiness: true satisfies Alike<BodyOf<typeof readiness>, wire.Readiness>,
  Field: true satisfies Alike<BodyOf<typeof field>, flow.Field>,
  FlowEvent: true satisfies Alike<BodyOf<typeof flowEvent>, flow.FlowEvent>,
  FlowEventPage: true satisfies Alike<BodyOf<typeof flowEventPage>, flow.FlowEventPage>,
  QueryResult: true satisfies Alike<BodyOf<typeof queryResult>, flow.QueryResult>,
  RenderRequest: true satisfies Alike<BodyOf<typeof renderRequest>, flow.RenderRequest>,
  RenderResponse: true satisfies Alike<InputOf<typeof renderResponse>, flow.RenderResponse>,
  Session: true satisfies Alike<BodyOf<typeof session>, flow.Session>,
  SessionInput: true satisfies Alike<InputOf<typeof sessionInput>, flow.SessionInput>,
  StepSpec: true satisfies Alike<BodyOf<typeof stepSpec>, flow.StepSpec>,
  StepSubmission: true satisfies Alike<InputOf<typeof stepSubmission>, flow.StepSubmission>,
  StepWarning: true satisfies Alike<BodyOf<typeof stepWarning>, flow.StepWarning>,
  Subscription: true satisfies Alike<BodyOf<typeof subscription>, flow.Subscription>,
  SubscriptionInput: true satisfies Alike<InputOf<typeof subscriptionInput>, flow.SubscriptionInput>,
  WebhookBody: true satisfies Alike<BodyOf<typeof webhookBody>, flow.WebhookBody>,
  StandardError: true satisfies Alike<BodyOf<typeof standardError>, wire.StandardError>,
  ListedUser: true satisfies Alike<BodyOf<typeof listedUser>, wire.ListedUser>,
  UpcomingMaintenance: true satisfies Alike<BodyOf<typeof upcomingMaintenance>, wire.UpcomingMaintenance>,
  UserLimitsReport: true satisfies Alike<BodyOf<typeof userLimitsReport>, wire.UserLimitsReport>,
  UserLimits: true satisfies Alike<BodyOf<typeof userLimitsBody>, wire.UserLimits>,
  UserLimitsInput: true satisfies Alike<InputOf<typeof userLimitsInput>, wire.UserLimitsInput>,
  UserId: true satisfies Alike<BodyOf<typeof userId>, wire.UserId>,
  UsageReport: true satisfies Alike<BodyOf<typeof usageReport>, usage.UsageReport>,
  UsageRow: true satisfies Alike<BodyOf<typeof usageRow>, usage.UsageRow>,
  WhoAmI: true satisfies Alike<BodyOf<typeof whoAmI>, wire.WhoAmI>,
  BridgeRecord: true satisfies Alike<BodyOf<typeof bridgeRecord>, bridge.BridgeRecord>,
  Deposit: true satisfies Alike<BodyOf<typeof deposit>, bridge.Deposit>,
  Withdrawal: true satisfies Alike<BodyOf<typeof withdrawal>, bridge.Withdrawal>,
  ReplayInput: true satisfies Alike<InputOf<typeof replayInput>, bridge.ReplayInput>,
  WithdrawalStepInput: true satisfies Alike<InputOf<typeof withdrawalStepInput>, bridge.WithdrawalStepInput>,
  Health: true satisfies Alike<BodyOf<typeof health>, wire.Health>,
  HistoryEntry: true satisfies Alike<BodyOf<typeof historyEntry>, bridge.HistoryEntry>,
  BridgeTransferInput: true satisfies Alike<InputOf<typeof bridgeTransferInput>, bridge.BridgeTransferInput>,
  DeployedContract: true satisfies Alike<BodyOf<typeof deployedContract>, ledger.DeployedContract>,
  Stake: true satisfies Alike<BodyOf<typeof stake>, ledger.Stake>,
  StakePage: true satisfies Alike<BodyOf<typeof stakePage>, ledger.StakePage>,
  StakeTransactionInput: true satisfies Alike<InputOf<typeof stakeTransactionInput>, ledger.StakeTransactionInput>,
  PreparedTransactions: true satisfies Alike<BodyOf<typeof preparedTransactions>, ledger.PreparedTransactions>,
  Wallet: true satisfies Alike<BodyOf<typeof wallet>, ledger.Wallet>,
  WalletChallenge: true satisfies Alike<BodyOf<typeof walletChallenge>, ledger.WalletChallenge>,
  WalletChallengeInput: true satisfies Alike<InputOf<typeof challengeInput>, ledger.WalletChallengeInput>,
  WalletInput: true satisfies Alike<InputOf<typeof walletInput>, ledger.WalletInput>,
  Version: true satisfies Alike<BodyOf<typeof versionBody>, flow.Version>,
  VersionInput: true satisfies Alike<InputOf<typeof versionInput>, flow.VersionInput>,
};

test('the comparison itself sees a member more, a member less, and one that is optional on one side only', () => {
  const seen: readonly boolean[] = [
    false satisfies Alike<{ a: string }, { a: string; b?: string }>,
    false satisfies Alike<{ a: string; b?: string }, { a: string }>,
    false satisfies Alike<{ a?: string }, { a: string }>,
    false satisfies Alike<{ a: { b: 'x' }[] }, { a: { b: string }[] }>,
    true satisfies Alike<{ readonly a: readonly { b: string }[] }, { a: { b: string }[] }>,
  ];
  expect(seen).toEqual([false, false, false, false, true]);
});

/** Parts of bodies, and types of plain texts, which are compared within the bodies that contain them. */
const parts = [
  ...['Timestamp', 'JsonRpcId', 'PolicyResource'],
  ...['StakeToken', 'UnreadableStakes', 'PreparedTransaction'],
  ...['BridgePlace', 'BridgeToken', 'HistoryToken', 'TransactionPurpose', 'IndexedStream'],
  ...['UsageBucket', 'UsageBy', 'AdminUsageBy'],
  ...['AuditAction', 'MaintenanceSurface'],
  ...['JsonMembers', 'AppVisibility', 'QueryDeclaration', 'FieldType', 'StepAction', 'SessionStatus'],
];

const sources = join(import.meta.dir, '../../../client/src');

test.each(readdirSync(sources).filter((name) => name.endsWith('wire.ts')))(
  'every type of client/src/%s is compared with its schema',
  async (file) => {
    const text = await Bun.file(join(sources, file)).text();
    const names = [...text.matchAll(/^export type (\w+)/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !parts.includes(name) && !Object.hasOwn(alike, name))).toEqual([]);
  },
);
