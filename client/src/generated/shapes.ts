/** The shapes of responses. Generated from the OpenAPI document, see `bodies.ts`. */

import type { Shape } from '../shape.ts';
import type * as bodies from './bodies.ts';

export const health: Shape<bodies.Health> = { status: 's' };

export const readiness: Shape<bodies.Readiness> = { status: 's', checks: { database: 's', identityProvider: 's' } };

export const whoAmI: Shape<bodies.WhoAmI> = {
  userId: 's',
  credential: 's',
  'keyId?': 's',
  roles: ['s'],
  isAdmin: 'b',
  requestsPerMinute: 'n',
  sessionRequestsPerMinute: 'n',
  maxActiveKeys: 'n',
  maxNodes: 'n',
};

export const userId: Shape<bodies.UserId> = { id: 's' };

export const mintedApiKey: Shape<bodies.MintedApiKey> = {
  apiKey: 's',
  keyId: 's',
  label: 's',
  scopes: ['s'],
  createdAt: 's',
  'expiresAt?': 's',
};

export const apiKeyRecord: Shape<bodies.ApiKeyRecord> = {
  keyId: 's',
  label: 's',
  scopes: ['s'],
  createdAt: 's',
  'expiresAt?': 's',
  'lastUsedAt?': 's',
  'revokedAt?': 's',
};

export const ledgerRecord: Shape<bodies.LedgerRecord> = { dlt: 's', networks: ['s'] };

export const networkRecord: Shape<bodies.NetworkRecord> = {
  dlt: 's',
  networkId: 's',
  name: 's',
  family: 's',
  'chainId?': 'n',
  default: 'b',
  status: 's',
  'blockHeight?': 'n',
  nodes: { healthy: 'n', total: 'n' },
};

export const providerRecord: Shape<bodies.ProviderRecord> = { providerId: 's', name: 's', domains: ['s'] };

export const contractRecord: Shape<bodies.ContractRecord> = {
  contractId: 's',
  dlt: 's',
  networkId: 's',
  role: 's',
  'name?': 's',
  address: 's',
};

export const nodeRecord: Shape<bodies.NodeRecord> = {
  nodeId: 's',
  dlt: 's',
  networkId: 's',
  'providerId?': 's',
  'label?': 's',
  kind: 's',
  source: 's',
  shared: 'b',
  'cordoned?': 'b',
  'url?': 's',
  status: 's',
  'blockHeight?': 'n',
  'latencyMs?': 'n',
  'checkedAt?': 's',
  createdAt: 's',
  'circuit?': { state: 's', 'retryAfterSeconds?': 'n' },
  'last5Minutes?': { calls: 'n', failed: 'n', 'errorRate?': 'n', 'p50Ms?': 'n', 'p95Ms?': 'n' },
};

export const administeredNode: Shape<bodies.AdministeredNode> = {
  nodeId: 's',
  dlt: 's',
  networkId: 's',
  'providerId?': 's',
  'label?': 's',
  kind: 's',
  source: 's',
  shared: 'b',
  cordoned: 'b',
  'url?': 's',
  status: 's',
  'blockHeight?': 'n',
  'latencyMs?': 'n',
  'checkedAt?': 's',
  createdAt: 's',
  'circuit?': { state: 's', 'retryAfterSeconds?': 'n' },
  'last5Minutes?': { calls: 'n', failed: 'n', 'errorRate?': 'n', 'p50Ms?': 'n', 'p95Ms?': 'n' },
  'lagBlocks?': 'n',
  'ownerId?': 's',
};

export const usageRow: Shape<bodies.UsageRow> = {
  at: 's',
  'by?': 's',
  requests: 'n',
  failed: 'n',
  limited: 'n',
  cached: 'n',
  'p50Ms?': 'n',
  'p95Ms?': 'n',
};

export const usageReport: Shape<bodies.UsageReport> = { data: [usageRow] };

export const auditEntry: Shape<bodies.AuditEntry> = {
  auditId: 's',
  at: 's',
  actor: 's',
  via: 's',
  action: 's',
  target: 's',
  requestId: 's',
  details: {},
};

export const maintenanceStatus: Shape<bodies.MaintenanceStatus> = {
  active: 'b',
  'message?': 's',
  retryAfterSeconds: 'n',
  'surfaces?': ['s'],
  'networks?': ['s'],
  'startsAt?': 's',
  'endsAt?': 's',
  'noticeMinutes?': 'n',
};

export const upcomingMaintenance: Shape<bodies.UpcomingMaintenance> = {
  'startsAt?': 's',
  'endsAt?': 's',
  'message?': 's',
  'networks?': ['s'],
};

export const listedUser: Shape<bodies.ListedUser> = { userId: 's', 'lastSeenAt?': 's', requests24h: 'n', keys: 'n' };

export const userLimitsReport: Shape<bodies.UserLimitsReport> = {
  'userPerMinute?': 'n',
  'sessionPerMinute?': 'n',
  'maxActiveKeys?': 'n',
  'nodes?': 'n',
  configured: { userPerMinute: 'n', sessionPerMinute: 'n', maxActiveKeys: 'n', nodes: 'n' },
};

export const userLimits: Shape<bodies.UserLimits> = {
  'userPerMinute?': 'n',
  'sessionPerMinute?': 'n',
  'maxActiveKeys?': 'n',
  'nodes?': 'n',
};

export const deployedContract: Shape<bodies.DeployedContract> = {
  address: 's',
  dlt: 's',
  networkId: 's',
  transactionHash: 's',
  deployer: 's',
  status: 's',
  'failureReason?': 's',
  'blockNumber?': 'n',
  createdAt: 's',
};

export const policyPreview: Shape<bodies.PolicyPreview> = {
  considered: 'n',
  refused: 'n',
  byMethod: [{ method: 's', refused: 'n' }],
};

export const policyExplanation: Shape<bodies.PolicyExplanation> = {
  allowed: 'b',
  'decidedBy?': { policyId: 's', scope: 's', effect: 's' },
  considered: 'n',
};

export const policy: Shape<bodies.Policy> = {
  policyId: 's',
  scope: 's',
  'name?': 's',
  effect: 's',
  subjects: ['s'],
  resource: { kind: 's', id: 's' },
  'methods?': ['s'],
  'selectors?': ['s'],
  createdAt: 's',
  updatedAt: 's',
};

export const walletChallenge: Shape<bodies.WalletChallenge> = { message: 's', nonce: 's', expiresAt: 's' };

export const wallet: Shape<bodies.Wallet> = { address: 's', kind: 's', 'label?': 's', chainId: 'n', linkedAt: 's' };

export const stake: Shape<bodies.Stake> = {
  stakeId: 's',
  contractId: 's',
  dlt: 's',
  networkId: 's',
  wallet: 's',
  staked: 's',
  earned: 's',
  stakingToken: { address: 's', symbol: 's', decimals: 'n' },
  rewardsToken: { address: 's', symbol: 's', decimals: 'n' },
  blockNumber: 'n',
  updatedAt: 's',
};

export const stakePage: Shape<bodies.StakePage> = {
  data: [stake],
  'nextCursor?': 's',
  'unreadable?': [{ contractId: 's', dlt: 's', networkId: 's', wallets: ['s'] }],
};

export const preparedTransactions: Shape<bodies.PreparedTransactions> = {
  transactions: [{ chainId: 'n', from: 's', to: 's', data: 's', value: 's', gas: 's', description: 's' }],
};

export const bridgeRecord: Shape<bodies.BridgeRecord> = {
  bridgeId: 's',
  name: 's',
  l1: { dlt: 's', networkId: 's', chainId: 'n' },
  l2: { dlt: 's', networkId: 's', chainId: 'n' },
  confirmations: 'n',
  tokens: [{ native: 'b', 'l1?': 's', 'l2?': 's', 'symbol?': 's', 'decimals?': 'n' }],
};

export const historyEntry: Shape<bodies.HistoryEntry> = {
  type: 's',
  id: 's',
  status: 's',
  createdAt: 's',
  dlt: 's',
  networkId: 's',
  wallet: 's',
  'sent?': {
    token: { native: 'b', 'l1?': 's', 'l2?': 's', 'symbol?': 's', 'decimals?': 'n', 'address?': 's' },
    amount: 's',
  },
  'received?': {
    token: { native: 'b', 'l1?': 's', 'l2?': 's', 'symbol?': 's', 'decimals?': 'n', 'address?': 's' },
    amount: 's',
  },
  transactions: [{ dlt: 's', networkId: 's', hash: 's', purpose: 's' }],
};

export const deposit: Shape<bodies.Deposit> = {
  depositId: 's',
  bridgeId: 's',
  kind: 's',
  status: 's',
  stalled: 'b',
  'stalledReason?': 's',
  'failureReason?': 's',
  source: { dlt: 's', networkId: 's' },
  destination: { dlt: 's', networkId: 's' },
  token: { native: 'b', 'l1?': 's', 'l2?': 's', 'symbol?': 's', 'decimals?': 'n' },
  amount: 's',
  from: 's',
  to: 's',
  l1TransactionHash: 's',
  l1LogIndex: 'n',
  l1BlockNumber: 'n',
  'messageHash?': 's',
  l2TransactionHash: 's',
  confirmations: 'n',
  requiredConfirmations: 'n',
  createdAt: 's',
  updatedAt: 's',
  statusChangedAt: 's',
  'staleSince?': 's',
};

export const indexers: Shape<bodies.Indexers> = {
  indexers: [
    {
      streamId: 's',
      'bridgeId?': 's',
      'pools?': ['s'],
      dlt: 's',
      networkId: 's',
      nextBlock: 'n',
      'head?': { number: 'n', hash: 's', time: 's' },
      'lagBlocks?': 'n',
      'readAt?': 's',
      isStale: 'b',
      'trouble?': 's',
      epoch: 'n',
      'rereadTo?': 'n',
      'leader?': 's',
      isLedHere: 'b',
    },
  ],
};

export const withdrawal: Shape<bodies.Withdrawal> = {
  withdrawalId: 's',
  bridgeId: 's',
  kind: 's',
  withdrawalHash: 's',
  'messageHash?': 's',
  nonce: 's',
  status: 's',
  'failureReason?': 's',
  blockers: ['s'],
  'disputeWindowEndsAt?': 's',
  source: { dlt: 's', networkId: 's' },
  destination: { dlt: 's', networkId: 's' },
  token: { native: 'b', 'l1?': 's', 'l2?': 's', 'symbol?': 's', 'decimals?': 'n' },
  amount: 's',
  from: 's',
  to: 's',
  l2TransactionHash: 's',
  'proveTransactionHash?': 's',
  'proofSubmitter?': 's',
  'finalizeTransactionHash?': 's',
  'finaliseTransactionHash?': 's',
  createdAt: 's',
  updatedAt: 's',
  statusChangedAt: 's',
  'staleSince?': 's',
};

export const app: Shape<bodies.App> = {
  appId: 's',
  name: 's',
  'description?': 's',
  visibility: 's',
  'latestVersion?': 's',
  createdAt: 's',
};

export const version: Shape<bodies.Version> = {
  appId: 's',
  version: 's',
  baseUrl: 's',
  startSteps: ['s'],
  steps: [{ stepId: 's' }],
  queries: [{ queryId: 's', path: 's' }],
  events: [{ type: 's' }],
  linkDomains: ['s'],
  status: 's',
  createdAt: 's',
  'signingSecret?': 's',
};

export const field: Shape<bodies.Field> = {
  fieldId: 's',
  type: 's',
  label: 's',
  'required?': 'b',
  'value?': '*',
  'options?': [{ value: 's', label: 's' }],
  'pattern?': 's',
  'min?': '*',
  'max?': '*',
  'help?': 's',
  'visibleWhen?': { fieldId: 's', equals: '*' },
};

export const stepWarning: Shape<bodies.StepWarning> = { ruleId: 's', pointer: 's', 'fieldId?': 's', message: 's' };

export const stepSpec: Shape<bodies.StepSpec> = {
  stepId: 's',
  title: 's',
  'description?': 's',
  fields: [field],
  actions: [{ actionId: 's', label: 's', 'validate?': 'b' }],
  'options?': {},
  'payment?': {},
  'transaction?': {},
  'terminal?': 'b',
  'channels?': {},
  'warnings?': [stepWarning],
};

export const paymentReceipt: Shape<bodies.PaymentReceipt> = {
  success: 'b',
  transaction: 's',
  network: 's',
  'payer?': 's',
  'amount?': 's',
  'asset?': 's',
  'payTo?': 's',
};

export const session: Shape<bodies.Session> = {
  sessionId: 's',
  appId: 's',
  version: 's',
  status: 's',
  stateVersion: 'n',
  currentStep: stepSpec,
  createdAt: 's',
  updatedAt: 's',
  expiresAt: 's',
  'paymentReceipt?': paymentReceipt,
};

export const flowEvent: Shape<bodies.FlowEvent> = {
  id: 's',
  sequence: 'n',
  type: 's',
  timestamp: 's',
  data: { 'sessionId?': 's', appId: 's', version: 's', 'stateVersion?': 'n' },
};

export const queryResult: Shape<bodies.QueryResult> = { data: '*' };

export const subscription: Shape<bodies.Subscription> = {
  subscriptionId: 's',
  appId: 's',
  eventType: 's',
  targetUrl: 's',
  status: 's',
  createdAt: 's',
  'secret?': 's',
  'disabledReason?': 's',
  'disabledAt?': 's',
};

export const protectedResource: Shape<bodies.ProtectedResource> = {
  resource: 's',
  resource_name: 's',
  resource_documentation: 's',
  authorization_servers: ['s'],
  bearer_methods_supported: ['s'],
  flowgate_command_line: { client_id: 's', scope: 's', 'audience?': 's' },
};

export const consoleConfig: Shape<bodies.ConsoleConfig> = {
  issuer: 's',
  clientId: 's',
  scope: 's',
  publicUrl: 's',
  version: 's',
};

export const openApiDocument: Shape<bodies.OpenApiDocument> = {
  openapi: 's',
  info: {},
  servers: [{}],
  tags: [{}],
  paths: {},
  webhooks: {},
  components: {},
};
