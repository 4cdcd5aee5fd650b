/** The user's profiles: one file each in the configuration directory, readable by the user only. */

import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf } from '@flowgate/base/text';
import { CliProblem } from '../cli-problem.ts';
import { configDirectory, type Place } from './config-directory.ts';
import { closeToOthers, type PrivateWrites, readPrivateFile, writePrivateFile } from './private-file.ts';
import { isProfileName, type Profile, parseProfile, profileText } from './profile.ts';

export const defaultProfile = 'default';

/** Each method throws `CliProblem` for an unusable file. */
export type Profiles = {
  readonly directory: string;
  readonly names: () => readonly string[];
  /** The profile that is used without `--profile`. */
  readonly current: () => string;
  readonly use: (name: string) => void;
  readonly read: (name: string) => Profile | undefined;
  readonly write: (name: string, profile: Profile) => void;
  readonly remove: (name: string) => void;
  /** The profile of this gateway; prefers the current one. */
  readonly find: (url: string) => { readonly name: string; readonly profile: Profile } | undefined;
  /** Throws when profiles cannot be written. */
  readonly prepare: () => void;
  /** The lock file for renewing the profile's token, next to the profile. */
  readonly lockFile: (name: string) => string;
};

export type ProfilesSettings = Place & {
  readonly writes: () => PrivateWrites;
  readonly warn: (text: string) => void;
};

export function createProfiles({ writes, warn, ...place }: ProfilesSettings): Profiles {
  const directory = configDirectory(place);
  const profilesDirectory = join(directory, 'profiles');
  const currentFile = join(directory, 'current-profile');
  const fileOf = (name: string) => {
    if (isProfileName(name)) return join(profilesDirectory, `${name}.json`);
    throw new CliProblem(
      'usage',
      'a profile is named by up to 63 lower-case letters, digits, dots, dashes and underscores',
    );
  };
  const write = (path: string, text: string) => {
    usable(path, 'written', () => writePrivateFile(path, text, writes()));
  };

  const profiles: Profiles = {
    directory,
    find(url) {
      const current = profiles.current();
      for (const name of [current, ...profiles.names().filter((each) => each !== current)]) {
        const profile = profiles.read(name);
        if (profile?.url === url) return { name, profile };
      }
      return undefined;
    },
    prepare() {
      const probe = join(profilesDirectory, '.writable');
      write(probe, '');
      rmSync(probe, { force: true });
    },
    names: () =>
      usable(profilesDirectory, 'read', () => listed(profilesDirectory))
        .flatMap((file) => (file.endsWith('.json') ? [file.slice(0, -'.json'.length)] : []))
        .filter(isProfileName)
        .toSorted(),
    current() {
      const found = usable(currentFile, 'read', () => readPrivateFile(currentFile));
      const name = found?.text.trim() ?? '';
      return isProfileName(name) ? name : defaultProfile;
    },
    use: (name) => write(currentFile, `${name}\n`),
    read(name) {
      const path = fileOf(name);
      const found = usable(path, 'read', () => readPrivateFile(path));
      if (found === undefined) return undefined;
      const profile = parseProfile(found.text);
      if (profile === undefined)
        throw new CliProblem('failed', `${path} is not a profile`, 'Remove it and sign in again: flowgate login URL');
      if (found.isOpen && place.platform !== 'win32') {
        warn(`${path} could be read by others; it is closed to them now. Sign in again if that worries you.`);
        usable(path, 'closed to others', () => closeToOthers(path));
      }
      return profile;
    },
    write: (name, profile) => write(fileOf(name), profileText(profile)),
    remove: (name) => usable(fileOf(name), 'removed', () => rmSync(fileOf(name), { force: true })),
    lockFile: (name) => `${fileOf(name)}.lock`,
  };
  return profiles;
}

function listed(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function usable<T>(path: string, done: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    const code = error instanceof Error && 'code' in error ? String(error.code) : messageOf(error);
    throw new CliProblem('failed', `${path} cannot be ${done} (${code})`);
  }
}
