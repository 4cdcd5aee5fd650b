/** The environment variables of all examples, and an invalid key for their refusals. */

/** Reads the variables. When one is missing, prints where to get it and ends the process with 2. */
export function readSettings<Name extends string>(...names: readonly Name[]): Readonly<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  const missing: string[] = [];
  for (const name of names) {
    const value = process.env[name];
    if (value === undefined || value === '') missing.push(name);
    else found[name] = value;
  }
  if (isComplete(found, names)) return found;
  console.error(`Please set ${missing.join(' and ')}: npm start prints them. For example:

  export FLOWGATE_URL=http://127.0.0.1:8080
  export FLOWGATE_API_KEY='fk_…'     # "API key of alice"
  export FLOWGATE_TOKEN='eyJ…'       # "Access token of alice", for flowgate.ts and resources.ts
  export FLOWGATE_NODE_PROVIDER=http://127.0.0.1:9300/v2   # "Nodes to register", for resources.ts
  export FLOWGATE_BRIDGE=data/bridge.json                  # of npm start -- --bridge, for bridge.ts`);
  process.exit(2);
}

function isComplete<Name extends string>(
  found: Partial<Record<Name, string>>,
  names: readonly Name[],
): found is Record<Name, string> {
  return names.every((name) => found[name] !== undefined);
}

/** Has the form of an API key but is not valid. */
export const unknownKey = `fk_${'A'.repeat(16)}.${'A'.repeat(49)}`;

/**
 * Accounts with ether on every development chain (anvil, Hardhat), derived from the public phrase `test test test test test test test test test test test
 * junk`. These keys are public: use them on local chains only. Each example has its own, so that the examples may run in parallel.
 */
export const developmentKeys = {
  viem: '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
  ethers: '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  web3: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
  flowDeploy: '0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  /** Also used by flow-run.ts: do not run these two in parallel. */
  flowTransfer: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  flowPaidReport: '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  /** On the rollup's chains. */
  flowBridge: '0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a',
  /** Signs only a payment in flow-paid-report.ts and no transaction, so that both may run in parallel. */
  eip1193: '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  subscribe: '0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  resources: '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
} as const;
