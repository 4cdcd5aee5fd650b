/** Flowgate's client: one gateway, one credential, no dependencies; for browsers, Node.js 20 and Bun. */

import { type Administration, createAdministration } from './administration.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { ask } from './ask.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { type Credential, credentialHeader } from './credential.ts';
import { createDeployedContracts, type DeployedContracts } from './deployed-contracts.ts';
import { createDeposits, type Deposits } from './deposits.ts';
import { createFlow, type Flow } from './flow.ts';
import { createGatewayRoutes, type GatewayRoutes } from './gateway-routes.ts';
import * as shapes from './generated/shapes.ts';
import { createHistory, type History } from './history.ts';
import { createJsonRpc, type JsonRpc } from './json-rpc.ts';
import { createNodes, type Nodes } from './nodes.ts';
import { createGlobalPolicies, createPolicies, type OwnPolicies, type Policies } from './policies.ts';
import type { Retry } from './retry.ts';
import { createStakes, type Stakes } from './stakes.ts';
import { type CallOptions, createTransport, defaultMaxAnswerBytes, type Fetch, type OnAnswer } from './transport.ts';
import { createUsage, type ReadUsage, type UsageQuestion } from './usage.ts';
import { createWallets, type Wallets } from './wallets.ts';
import type { AdminPolicyQuestion, UpcomingMaintenance, UserId, WhoAmI } from './wire.ts';
import { createWithdrawals, type Withdrawals } from './withdrawals.ts';

export type FlowgateOptions = Credential & {
  /** The gateway's address, for example `https://rpc.example.com`; may include a path before the gateway's routes. */
  readonly url: string;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** In milliseconds, for each call without its own `timeoutMs`. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** In bytes. A longer answer is an error of kind `unreadable`. Default 256 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** For each call without its own `retry`. */
  readonly retry?: Retry | undefined;
  /** Called for each answer, including refusals. An error that it throws ends the call. */
  readonly onAnswer?: OnAnswer | undefined;
};

export type Flowgate = JsonRpc &
  Catalog & {
    /** The user behind the credential: the token's subject, or the key's owner. */
    me(options?: CallOptions): Promise<UserId>;
    /** The user with the kind of credential, whether it opens administrators' routes, and the limits in effect. */
    whoAmI(options?: CallOptions): Promise<WhoAmI>;
    /** Upcoming maintenance; an empty object when none is announced. */
    upcomingMaintenance(options?: CallOptions): Promise<UpcomingMaintenance>;
    /** The user's usage, over all keys and tokens. */
    readonly usage: ReadUsage<UsageQuestion>;
    readonly apiKeys: ApiKeys;
    /** The user's own policies: what the user's keys may do, and with whom own nodes and apps are shared. */
    readonly policies: OwnPolicies;
    /** The operator's global policies; for administrators. */
    readonly globalPolicies: Policies<AdminPolicyQuestion>;
    /** The gateway's own routes: health, readiness and OpenAPI document. They need no credential. */
    readonly gateway: GatewayRoutes;
    /** Routes for administrators. */
    readonly admin: Administration;
    /** Flow Apps: registry, sessions, events, queries, webhooks. */
    readonly flow: Flow;
    /** The user's registered nodes, and the shared nodes. */
    readonly nodes: Nodes;
    /** The user's wallets, linked by signatures. */
    readonly wallets: Wallets;
    /** The contracts that the user deployed through the gateway, with the status of each deployment. */
    readonly deployedContracts: DeployedContracts;
    /** The stakes and rewards of the user's linked wallets. */
    readonly stakes: Stakes;
    /** The deposits of the user's linked wallets over bridges, from L1 to L2. */
    readonly deposits: Deposits;
    /** The withdrawals of the user's linked wallets over bridges, from L2 to L1, and what each one still waits for. */
    readonly withdrawals: Withdrawals;
    /** Deposits, swaps and withdrawals of the user's linked wallets in one list. */
    readonly history: History;
  };

/** Creates a client without sending a request. Throws `TypeError` for an invalid `url`, and for two credentials. */
export function createFlowgate(options: FlowgateOptions): Flowgate {
  const { send, open } = createTransport({
    url: options.url,
    credential: credentialHeader(options),
    // Browsers require that `fetch` is called on its global.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxAnswerBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
    retry: options.retry,
    onAnswer: options.onAnswer,
  });
  return {
    ...createJsonRpc(send),
    apiKeys: createApiKeys(send),
    policies: createPolicies(send),
    globalPolicies: createGlobalPolicies(send),
    gateway: createGatewayRoutes(send),
    admin: createAdministration(send),
    flow: createFlow(send, open),
    ...createCatalog(send),
    nodes: createNodes(send),
    wallets: createWallets(send),
    deployedContracts: createDeployedContracts(send),
    stakes: createStakes(send),
    deposits: createDeposits(send),
    withdrawals: createWithdrawals(send),
    history: createHistory(send),
    whoAmI: (callOptions) => ask(send, 'GET /users/me', shapes.whoAmI, [], { options: callOptions }),
    upcomingMaintenance: (callOptions) =>
      ask(send, 'GET /maintenance', shapes.upcomingMaintenance, [], { options: callOptions }),
    usage: createUsage(send),
    me: (callOptions) => ask(send, 'GET /users/me/id', shapes.userId, [], { options: callOptions }),
  };
}
