/** The directory for profiles and credentials: the user's configuration directory of the platform. */

import { isAbsolute, join } from 'node:path';

export type Place = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The value of `process.platform`. */
  readonly platform: string;
  readonly home: string;
};

/** `XDG_CONFIG_HOME` applies on every platform if it is absolute, as its specification requires. */
export function configDirectory({ environment, platform, home }: Place): string {
  const xdg = environment['XDG_CONFIG_HOME'] ?? '';
  if (isAbsolute(xdg)) return join(xdg, 'flowgate');
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'flowgate');
  if (platform === 'win32') return join(environment['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'flowgate');
  return join(home, '.config', 'flowgate');
}
