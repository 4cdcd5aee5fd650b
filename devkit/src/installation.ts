/** The whole development installation: chain, identity provider, sample apps and gateway, started in order and stopped in reverse. */
import { appendFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BridgeAppOptions } from './apps/bridge-place.ts';
import { startChain } from './chain.ts';
import { deployDevContracts } from './dev-contracts.ts';
import type { DevelopmentUser } from './development-users.ts';
import { type GuardedProcess, spawnGuarded } from './guarded-process.ts';
import { startIdentityProvider } from './identity-provider.ts';
import { loadPepper } from './load-pepper.ts';
import { logTail } from './log-tail.ts';
import { startNodeProvider } from './node-provider.ts';
import { repairChainState } from './repair-chain-state.ts';
import type { LocalBridge } from './rollup/local-rollup.ts';
import { type Publication, startSampleApps } from './sample-apps.ts';
import { signingSecretOf } from './signing-secret.ts';
import { StartProblem, type StartSettings } from './start-settings.ts';

/** The project's directory. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const devConfig = join(root, 'devkit', 'flowgate.dev.yaml');
const readyTimeoutMs = 60_000;

export type Installation = {
  readonly gatewayUrl: string;
  readonly issuer: string;
  readonly chainUrl: string;
  /** Base URL of the node provider for the local chain; a provider key follows it. */
  readonly nodeProviderUrl: string;
  /** The local rollup; absent without `--bridge`. */
  readonly bridge: LocalBridge | undefined;
  /** Absolute path of the directory with all data that survives a restart. */
  readonly data: string;
  /** The sample apps, running and ready to be published. */
  readonly publications: readonly Publication[];
  /** Resolves with a sentence and the end of the log when a component ends by itself. */
  readonly crashed: Promise<string>;
  /** The gateway drains, then the chain writes its state. */
  stop(): Promise<void>;
  /** Ends all components at once; the chain loses its last seconds. */
  kill(): Promise<void>;
  /** Kills the gateway alone with SIGKILL, for tests of its clients. Resolves with a function that starts it again and resolves when it is ready. */
  killGateway(): Promise<() => Promise<void>>;
};

export type InstallationSettings = StartSettings & {
  /** The users of the identity provider. Default: the development users. */
  readonly users?: readonly DevelopmentUser[];
};

type Part = { readonly name: string; readonly logFile: string; readonly process: GuardedProcess };

/** `data` is an absolute path that exists; `say` receives each progress line. When a component does not start, stops the others and throws `StartProblem`. */
export async function startInstallation(
  settings: InstallationSettings,
  data: string,
  say: (line: string) => void,
): Promise<Installation> {
  const logs = join(data, 'logs');
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const stopPart of stops.splice(0).reverse()) await stopPart();
  };
  try {
    say(`local chain (anvil) on port ${settings.chainPort} …`);
    const chain = await startDataChain(settings, data, join(logs, 'chain.log'), say);
    stops.push(chain.process.stop);
    say(`identity provider on port ${settings.identityPort} …`);
    const issuer = await startProvider(settings, data, join(logs, 'identity-provider.log'), stops);
    const bridge = settings.bridge ? await startRollup(settings, data, logs, stops, say) : undefined;
    say(`sample Flow Apps on port ${settings.appsPort}, payment facilitator on port ${settings.facilitatorPort} …`);
    const apps = await startApps(settings, data, bridge?.app);
    stops.push(apps.stop);
    const rpcUrl = `http://127.0.0.1:${settings.chainPort}`;
    const nodeProvider = startNodeProvider({ rpcUrl, port: settings.nodeProviderPort });
    stops.push(nodeProvider.stop);
    await deployDevContracts({ rpcUrl });
    say(`gateway on port ${settings.gatewayPort} …`);
    const startGateway = () => spawnGateway(settings, data, join(logs, 'gateway.log'), bridge?.configFile ?? devConfig);
    let gateway = startGateway();
    stops.push(() => gateway.process.stop());
    const gatewayUrl = `http://127.0.0.1:${settings.gatewayPort}`;
    const crashed = Promise.race([chain, gateway, ...(bridge?.parts ?? [])].map(crashOf));
    await untilReady(gatewayUrl, crashed, gateway.logFile);
    return {
      gatewayUrl,
      issuer,
      chainUrl: rpcUrl,
      nodeProviderUrl: nodeProvider.url,
      bridge: bridge?.bridge,
      data,
      publications: apps.publications,
      crashed,
      stop,
      kill: async () => {
        await Promise.all([chain, gateway, ...(bridge?.parts ?? [])].map((part) => part.process.kill()));
      },
      async killGateway() {
        await gateway.process.kill();
        return async () => {
          gateway = startGateway();
          await untilReady(gatewayUrl, crashOf(gateway), gateway.logFile);
        };
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startDataChain(
  settings: StartSettings,
  data: string,
  logFile: string,
  say: (line: string) => void,
): Promise<Part> {
  const stateFile = join(data, 'chain.json');
  const repaired = repairChainState(stateFile);
  if (repaired !== undefined) say(repaired);
  const chain = await startChain({ port: settings.chainPort, stateFile, logFile });
  return { name: 'local chain', logFile, process: chain };
}

async function startProvider(
  settings: InstallationSettings,
  data: string,
  logFile: string,
  stops: (() => Promise<void>)[],
): Promise<string> {
  writeFileSync(logFile, '', { mode: 0o600 });
  const provider = await startIdentityProvider({
    port: settings.identityPort,
    keysFile: join(data, 'identity-provider-keys.json'),
    gatewayUrl: `http://127.0.0.1:${settings.gatewayPort}`,
    ...(settings.users !== undefined && { users: settings.users }),
    onError: (error) => appendFileSync(logFile, `${error.stack ?? error.message}\n`),
  });
  stops.push(provider.stop);
  return provider.issuer;
}

/** The sample apps run in this process and end with it. */
function startApps(settings: StartSettings, data: string, bridge: BridgeAppOptions | undefined) {
  const pepper = loadPepper(join(data, 'pepper'));
  return startSampleApps({
    ...{ rpcUrl: `http://127.0.0.1:${settings.chainPort}`, chainId: 31337, directory: data },
    ...{ appsPort: settings.appsPort, facilitatorPort: settings.facilitatorPort },
    signingSecret: (appId) => signingSecretOf(pepper, appId),
    bridge,
  });
}

type Rollup = {
  readonly bridge: LocalBridge;
  readonly app: BridgeAppOptions;
  readonly configFile: string;
  readonly parts: readonly Part[];
};

/** The two chains of a rollup; its sequencer runs in this process. */
async function startRollup(
  settings: StartSettings,
  data: string,
  logs: string,
  stops: (() => Promise<void>)[],
  say: (line: string) => void,
): Promise<Rollup> {
  say(`local rollup (L1 on port ${settings.l1Port}, L2 on port ${settings.l2Port}) …`);
  // The rollup's modules load only when it is requested.
  const { startBridge } = await import('./rollup/bridge-installation.ts');
  const { rollup, configFile, confirmations } = await startBridge({ ...settings, data, logs, configFile: devConfig });
  stops.push(rollup.stop);
  const parts = (['l1', 'l2'] as const).map((name) => ({
    name: `rollup's ${name.toUpperCase()}`,
    logFile: join(logs, `rollup-${name}.log`),
    process: rollup[name],
  }));
  return { bridge: rollup.bridge, app: { ...rollup.bridge, confirmations }, configFile, parts };
}

function spawnGateway(settings: StartSettings, data: string, logFile: string, configFile: string): Part {
  const command = [process.execPath, join(root, 'apps', 'cli', 'src', 'main.ts'), ...['start', '--config', configFile]];
  const env = {
    ...process.env,
    FLOWGATE_PORT: String(settings.gatewayPort),
    FLOWGATE_CHAIN_PORT: String(settings.chainPort),
    FLOWGATE_IDENTITY_PORT: String(settings.identityPort),
    FLOWGATE_FACILITATOR_PORT: String(settings.facilitatorPort),
    FLOWGATE_DATA: data,
    FLOWGATE_PEPPER: loadPepper(join(data, 'pepper')),
  };
  return { name: 'gateway', logFile, process: spawnGuarded(command, { logFile, cwd: root, env }) };
}

async function crashOf({ name, logFile, process: { exited } }: Part): Promise<string> {
  const code = await exited;
  return `The ${name} ended by itself (exit ${code}). The end of ${logFile}:\n${logTail(logFile)}`;
}

/** Ready is GET /readyz = 200 (contract/running#readiness). */
async function untilReady(gatewayUrl: string, crashed: Promise<string>, logFile: string): Promise<void> {
  let crash: string | undefined;
  crashed.then((message) => {
    crash = message;
  });
  const deadlineMs = performance.now() + readyTimeoutMs;
  while (performance.now() < deadlineMs) {
    if (crash !== undefined) throw new StartProblem(crash);
    const response = await fetch(`${gatewayUrl}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    if (response?.status === 200) return;
    await Bun.sleep(25);
  }
  throw new StartProblem(
    `The gateway was not ready within ${readyTimeoutMs / 1000} s. The end of ${logFile}:\n${logTail(logFile)}`,
  );
}
