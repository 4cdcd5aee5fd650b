/** `flow-app.yaml`: the manifest that `flowgate apps` publishes, validated with the gateway's own checks (contract/flow-apps#registry). */

import { closeSync, openSync, readSync } from 'node:fs';
import { messageOf } from '@flowgate/base/text';
import type { AppInput, VersionInput } from '@flowgate/client';
import { appInput } from '@flowgate/flow-format/manifest/app-input';
import { versionInput } from '@flowgate/flow-format/manifest/version-input';
import { isJsonObject, type JsonObject } from '@flowgate/json/json-object';
import { CliProblem } from '../cli-problem.ts';
import {
  type ManifestProblem,
  type ManifestYaml,
  maxManifestBytes,
  pathText,
  readManifestYaml,
} from './manifest-yaml.ts';

export const manifestName = 'flow-app.yaml';

export type FlowAppManifest = {
  readonly app: AppInput;
  /** Without a secret, which does not belong in the file. */
  readonly version: Omit<VersionInput, 'signingSecret'>;
};

export type ManifestReading =
  | { readonly ok: true; readonly manifest: FlowAppManifest }
  | { readonly ok: false; readonly problems: readonly ManifestProblem[] };

/** Throws `CliProblem` for a file that cannot be read or exceeds the maximum size of a manifest. */
export function readManifestFile(file: string): string {
  try {
    const opened = openSync(file, 'r');
    try {
      const bytes = Buffer.alloc(maxManifestBytes + 1);
      let length = 0;
      for (let read = 1; read > 0 && length < bytes.length; length += read)
        read = readSync(opened, bytes, length, bytes.length - length, null);
      if (length > maxManifestBytes)
        throw new CliProblem('usage', `${file} is larger than ${maxManifestBytes} bytes, the maximum of a manifest`);
      return bytes.toString('utf8', 0, length);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    throw new CliProblem(
      'usage',
      `${file} cannot be read: ${messageOf(error)}`,
      'flowgate apps init DIRECTORY makes an app with its manifest.',
    );
  }
}

const appMembers = ['appId', 'name', 'description', 'visibility'];
const versionMembers = ['version', 'baseUrl', 'startSteps', 'steps', 'queries', 'events', 'linkDomains'];

/** `baseUrl` replaces the file's. Never throws. */
export function readManifest(text: string, baseUrl?: string): ManifestReading {
  const yaml = readManifestYaml(text);
  if (yaml.problems.length > 0) return { ok: false, problems: yaml.problems };
  const problem = (path: readonly (string | number)[], message: string): ManifestProblem => ({
    ...yaml.place(path),
    ...{ path: pathText(path), message },
  });
  if (!isJsonObject(yaml.value))
    return { ok: false, problems: [problem([], 'must be a mapping: appId, name, version, …')] };
  const members: JsonObject = { ...yaml.value, ...(baseUrl === undefined ? {} : { baseUrl }) };
  const problems = Object.keys(members)
    .filter((name) => ![...appMembers, ...versionMembers].includes(name))
    .map((name) => problem([name], strangerMessage(name)));
  const app = appInput.schema().safeParse(only(members, appMembers));
  const version = versionInput.schema().safeParse({ ...only(members, versionMembers), ...withoutShort(members) });
  problems.push(...problemsIn(app.error?.issues ?? [], yaml), ...problemsIn(version.error?.issues ?? [], yaml));
  if (!app.success || !version.success || problems.length > 0) return { ok: false, problems: inOrder(problems) };
  const { version: number, baseUrl: address, steps, startSteps = null, queries = null, events = null } = version.data;
  const { description = null, visibility = null, ...named } = app.data;
  return {
    ok: true,
    manifest: {
      app: { ...named, description, visibility },
      version: { version: number, baseUrl: address, startSteps, steps, queries, events },
    },
  };
}

function strangerMessage(name: string): string {
  if (/secret/i.test(name)) return 'does not belong into a file that is shared: set SIGNING_SECRET instead';
  return `is not a member of a manifest; there are ${[...appMembers, ...versionMembers].join(', ')}`;
}

/** A plain name means `{ stepId: name }` or `{ type: name }`. */
function withoutShort({ steps, events }: JsonObject): JsonObject {
  const long = (list: unknown, name: string): unknown =>
    Array.isArray(list) ? list.map((each: unknown) => (typeof each === 'string' ? { [name]: each } : each)) : list;
  return { steps: long(steps, 'stepId'), events: long(events, 'type') };
}

function only(members: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(members, name) ? [[name, members[name]]] : [])));
}

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

function problemsIn(issues: readonly Issue[], yaml: ManifestYaml): readonly ManifestProblem[] {
  const seen = new Set<string>();
  return issues.flatMap(({ path, message }) => {
    const named = path.map((part) => (typeof part === 'number' ? part : String(part)));
    // A problem within a short form has no member in the file, so it is reported at the nearest one.
    const found = { ...yaml.place(named), path: pathText(named), message };
    const key = JSON.stringify(found);
    if (seen.has(key)) return [];
    seen.add(key);
    return found;
  });
}

/** Maximum number of reported problems. */
const maxProblems = 50;

function inOrder(problems: readonly ManifestProblem[]): readonly ManifestProblem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column).slice(0, maxProblems);
}
