/** Configuration from the gateway, loaded once at startup. */

export type ConsoleConfig = {
  readonly issuer: string;
  readonly clientId: string;
  readonly scope: string;
  readonly publicUrl: string;
  readonly version: string;
};

export async function loadConsoleConfig(): Promise<ConsoleConfig> {
  const response = await fetch('/console/config.json', { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`The gateway returned status ${response.status}.`);
  return (await response.json()) as ConsoleConfig;
}
