/** Where the command line keeps profiles and credentials: the user's own configuration directory, as the platform has it. */

import { isAbsolute, join } from 'node:path';

export type Place = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** As `process.platform` names it. */
  readonly platform: string;
  readonly home: string;
};

/** `XDG_CONFIG_HOME` counts everywhere, when it is absolute as its specification asks. */
export function configDirectory({ environment, platform, home }: Place): string {
  const xdg = environment['XDG_CONFIG_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'flowgate');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'flowgate');
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'flowgate');
  return join(home, '.config', 'flowgate');
}
