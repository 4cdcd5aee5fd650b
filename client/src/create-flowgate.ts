/** Flowgate's own client: one gateway, one credential, no dependencies; for browsers, Node.js 20 and Bun. */

import { type Administration, createAdministration } from './administration.ts';
import { type ApiKeys, createApiKeys } from './api-keys.ts';
import { ask } from './ask.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
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
  /** The gateway's address, `https://rpc.example.com` for example; a path in front of its routes is kept. */
  readonly url: string;
  /** In place of the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** For each call without a limit of its own. Default 30 000. */
  readonly timeoutMs?: number | undefined;
  /** A longer answer is an error of kind `unreadable`. Default 256 MiB. */
  readonly maxAnswerBytes?: number | undefined;
  /** For each call that does not say itself what to repeat. */
  readonly retry?: Retry | undefined;
  /** Told of every answer. What it throws ends the call. */
  readonly onAnswer?: OnAnswer | undefined;
};

export type Flowgate = JsonRpc &
  Catalogue & {
    /** The user behind the credential: the token's subject, or the owner of the key. */
    me(options?: CallOptions): Promise<UserId>;
    /** The same with the credential, whether it opens routes for administrators, and the limits in force for the user. */
    whoAmI(options?: CallOptions): Promise<WhoAmI>;
    /** Maintenance that begins soon; an empty object when none does. */
    upcomingMaintenance(options?: CallOptions): Promise<UpcomingMaintenance>;
    /** What the user asked the gateway for, over all keys and tokens. */
    readonly usage: ReadUsage<UsageQuestion>;
    readonly apiKeys: ApiKeys;
    /** Own policies: what one's keys may do, and with whom own nodes and apps are shared. */
    readonly policies: OwnPolicies;
    /** The operator's; for admins. */
    readonly globalPolicies: Policies<AdminPolicyQuestion>;
    /** The gateway itself: whether it serves, and its OpenAPI document. Needs no credential. */
    readonly gateway: GatewayRoutes;
    /** For administrators. */
    readonly admin: Administration;
    /** Flow Apps: registry, sessions, events, queries, webhooks. */
    readonly flow: Flow;
    /** Nodes that the user registers, and those that everybody may call. */
    readonly nodes: Nodes;
    /** The user's own wallets, proved by signatures. */
    readonly wallets: Wallets;
    /** The contracts that the user deployed through the gateway, and what became of each. */
    readonly deployedContracts: DeployedContracts;
    /** What these wallets have staked and earned. */
    readonly stakes: Stakes;
    /** What these wallets sent over a bridge from L1 to L2, or receive there. */
    readonly deposits: Deposits;
    /** The same from L2 to L1, with what each withdrawal still waits for. */
    readonly withdrawals: Withdrawals;
    /** Deposits, swaps and withdrawals in one list. */
    readonly history: History;
  };

/** Sends nothing yet. Throws `TypeError` when `url` cannot be a gateway's address, and for two credentials. */
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
    ...createCatalogue(send),
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
