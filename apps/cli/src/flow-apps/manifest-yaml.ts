/** Reads a manifest file as YAML: plain values, with the line of each value for error messages. */

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

export type Line = { readonly line: number; readonly column: number };

/** `path`: `steps[2].stepId`; empty for the whole file. */
export type ManifestProblem = Line & { readonly path: string; readonly message: string };

export type YamlPath = readonly (string | number)[];

export type ManifestYaml = {
  /** Undefined when the file cannot be parsed. */
  readonly value: unknown;
  readonly problems: readonly ManifestProblem[];
  /** The position of the value at this path, or of its nearest existing parent. */
  readonly place: (path: YamlPath) => Line;
};

/** Four times the size of two hundred steps with names of maximum length. */
export const maxManifestBytes = 65_536;
const maxDepth = 8;
const maxSyntaxErrors = 20;

/** Aliases, tags and documents after the first are refused: a manifest needs none, and each can make a short file expensive. Never throws. */
export function readManifestYaml(text: string): ManifestYaml {
  const lines = new LineCounter();
  const problems: ManifestProblem[] = [];
  const places = new Map<string, number>();
  const at = (offset: number): Line => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const report = (offset: number, path: YamlPath, message: string) =>
    void problems.push({ ...at(offset), path: pathText(path), message });

  function read(node: unknown, path: YamlPath, before: number): unknown {
    const start = startOf(node) ?? before;
    places.set(pathText(path), start);
    if (isAlias(node)) return report(start, path, 'is an alias (*name), which a manifest does not take');
    if (isScalar(node))
      return isTagged(node) ? report(start, path, 'has a tag, which a manifest does not take') : node.value;
    if (node === null || node === undefined) return null;
    if (path.length >= maxDepth) return report(start, path, 'nests too deep');
    if (isSeq(node)) return node.items.map((item, nth) => read(item, [...path, nth], start));
    if (!isMap(node)) return report(start, path, 'is of a type that a manifest does not take');
    const members = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const keyStart = startOf(key) ?? start;
      if (!isScalar(key) || typeof key.value !== 'string') report(keyStart, path, 'has a key that is not a string');
      // The parser's own search compares each key with all before it.
      else if (members.has(key.value)) report(keyStart, [...path, key.value], 'is there twice');
      else members.set(key.value, read(value, [...path, key.value], keyStart));
    }
    return Object.fromEntries(members);
  }

  const place = (path: YamlPath): Line => {
    for (let length = path.length; length >= 0; length--) {
      const found = places.get(pathText(path.slice(0, length)));
      if (found !== undefined) return at(found);
    }
    return { line: 1, column: 1 };
  };
  try {
    const document = parseDocument(text, {
      lineCounter: lines,
      uniqueKeys: false,
      logLevel: 'error',
      prettyErrors: false,
    });
    for (const { pos, message } of document.errors.slice(0, maxSyntaxErrors))
      report(pos[0], [], `is no YAML: ${message}`);
    const value = document.errors.length > 0 ? undefined : read(document.contents, [], 0);
    return { value, problems, place };
  } catch {
    // The parser recurses: a file of nested brackets exceeds its stack.
    return { value: undefined, problems: [{ line: 1, column: 1, path: '', message: 'nests too deep' }], place };
  }
}

export function pathText(path: YamlPath): string {
  return path.map((part, nth) => (typeof part === 'number' ? `[${part}]` : `${nth === 0 ? '' : '.'}${part}`)).join('');
}

function startOf(node: unknown): number | undefined {
  return (isScalar(node) || isAlias(node) || isMap(node) || isSeq(node)) && node.range ? node.range[0] : undefined;
}

function isTagged(node: { readonly tag?: string | undefined }): boolean {
  return node.tag !== undefined && !node.tag.startsWith('tag:yaml.org,2002:');
}
