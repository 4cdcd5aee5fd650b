/** The summary that `npm start` prints: addresses, a token, a key and `curl` commands. */
import type { EnsuredKey } from './ensure-key.ts';
import { mintCommand } from './token-page.ts';

type RollupFacts = {
  readonly l1: { readonly url: string };
  readonly l2: { readonly url: string };
  readonly controlUrl: string;
};

export type SummaryFacts = {
  readonly gatewayUrl: string;
  readonly issuer: string;
  readonly chainUrl: string;
  readonly nodeProviderUrl: string;
  /** The local rollup, if one runs. */
  readonly bridge?: RollupFacts | undefined;
  readonly user: string;
  readonly token: string;
  readonly key: EnsuredKey;
  /** The file with URL, key and token, or why it could not be written. */
  readonly savedTo: string;
  readonly appIds: readonly string[];
};

const blockNumber = `-H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'`;

/** Each command is one line, so that it can be pasted whole. */
export function startSummary(facts: SummaryFacts): string {
  const { gatewayUrl, issuer, chainUrl, nodeProviderUrl, bridge, user, token, key, savedTo, appIds } = facts;
  return `
Flowgate is ready.

  Gateway            ${gatewayUrl}
  Console            ${gatewayUrl}/console   (sign in as alice or admin)
  Reference          ${gatewayUrl}/reference
  Tokens             ${issuer}   (users: alice, admin)
  Local chain        ${chainUrl}   (reached through the gateway below)
${bridge === undefined ? '' : rollupLine(bridge)}  Nodes to register  ${nodeProviderUrl}/KEY   (KEY: 16 letters or digits, or more)
  Flow Apps          ${appIds.join(', ')}
  URL, key, token    ${savedTo}

Access token of ${user}:
${token}

${key.kind === 'none' ? withoutKey(gatewayUrl, user, token, key.message) : withKey(gatewayUrl, user, token, key)}
${bridge === undefined ? '' : bridgeLines(gatewayUrl, token)}
Ctrl-C stops everything; data and logs stay.`;
}

function rollupLine({ l1, l2, controlUrl }: RollupFacts): string {
  return `  Local rollup       L1 ${l1.url}, L2 ${l2.url}, control ${controlUrl}   (bridge.json has the rest)\n`;
}

function bridgeLines(gatewayUrl: string, token: string): string {
  return `
What moved over the rollup's bridge, once a wallet is linked (npx bun client/examples/bridge.ts links one, deposits, swaps and withdraws):
curl -s ${gatewayUrl}/users/me/history -H 'Authorization: Bearer ${token}'
`;
}

function withKey(
  gatewayUrl: string,
  user: string,
  token: string,
  { kind, apiKey }: Exclude<EnsuredKey, { kind: 'none' }>,
): string {
  return `API key of ${user}${kind === 'reused' ? ' (the same as last time)' : ''}:
${apiKey}

Read a block number, key in the header (preferred):
curl -s -X POST ${gatewayUrl}/rpc -H 'X-API-Key: ${apiKey}' ${blockNumber}

The same, key in the path (such a URL is itself a credential, and proxies may log it):
curl -s -X POST ${gatewayUrl}/rpc/${apiKey} ${blockNumber}

Mint another key with the token:
${mintCommand(gatewayUrl, token)}

Walk through a Flow App (flow-transfer.ts and flow-paid-report.ts are others), from the project's directory:
FLOWGATE_URL=${gatewayUrl} FLOWGATE_API_KEY='${apiKey}' npx bun client/examples/flow-deploy.ts`;
}

/** The keys belong to the user and may be in use, so the user chooses which one to revoke. */
function withoutKey(gatewayUrl: string, user: string, token: string, message: string): string {
  const authorization = `-H 'Authorization: Bearer ${token}'`;
  return `No API key was made for ${user}: ${message}
Use one of them, or revoke one that nothing needs and start again.

List them:
curl -s ${gatewayUrl}/users/me/api-keys ${authorization}

Revoke one, by its keyId:
curl -s -X DELETE ${gatewayUrl}/users/me/api-keys/KEY_ID ${authorization}`;
}
