/**
 * No call depends on a variable of a module: a misplaced `await` would mix two callers. A call writes only objects that
 * it received or created.
 */

import { expect, test } from 'bun:test';
import { basename } from 'node:path';
import { packageFiles, type SourceFile, sourceFiles } from './source-files.ts';

const pure = 'caches what a function of its key returns';
const thread = 'belongs to a thread with a single task';

/** Module state that is permitted, each with the reason why it is harmless. */
const accepted: Readonly<Record<string, string>> = {
  'call-guard.ts: ownersOfLists': pure,
  'compress.ts: compressedBodies': pure,
  'sql-deployment-store.ts: deployments': 'a column in the text of SQL',
  'json-scan.ts: closers': 'written and read in one synchronous scan; the comment there explains what it saves',
  'method-names.ts: seen': pure,
  'offers.ts: sources': 'the completions that commands offer, recorded once when they are defined',
  'outgoing-frames.ts: spare': 'a free buffer: a connection takes it away while it uses it',
  'postgres-session.ts: translated': pure,
  'reply-sender.ts: writer': 'written and sent in one synchronous method',
  'rule-matcher.ts: globsOfPolicies': pure,
  'script.ts: found': 'a page script in the text of a module',
  'sql-text.ts: starts': pure,
  'sqlite-worker.ts: closing': thread,
  'sqlite-worker.ts: connection': thread,
  'sqlite-worker.ts: isServing': thread,
  'sqlite-worker.ts: reads': thread,
  'sqlite-worker.ts: replies': thread,
  'sqlite-worker.ts: retry': thread,
  'sqlite-worker.ts: writer': thread,
  'status-line.ts: lines': pure,
  'status-line.ts: starts': pure,
  'validation-worker.ts: contentFilter': thread,
  'written-reply.ts: limitLine': pure,
};

/**
 * The variables of a module that its functions write, as `file: name`. Functions that are `memoized` have no side
 * effects and do not count.
 */
function writtenVariables({ path, text }: Pick<SourceFile, 'path' | 'text'>): readonly string[] {
  const found = new Set<string>();
  const inFunctions = text
    .split('\n')
    .filter((line) => /^\s/.test(line))
    .join('\n');
  for (const [, name = ''] of text.matchAll(/^(?:export )?let (\w+)/gm)) found.add(name);
  for (const [, name = ''] of text.matchAll(/^(?:export )?const (\w+)\b[^;]*?=\s/gm)) {
    const object = String.raw`(?<![\w.#$'"\`])${name}(?:\[[^\]]*\]|\.\w+)*`;
    const mutates = String.raw`(?:\.(?:set|add|delete|clear|push|pop|shift|unshift|splice|fill|copyWithin)\(|(?:\[[^\]]+\]|\.\w+) (?:=|\+=|-=|\|=|\?\?=) |(?:\[[^\]]+\]|\.\w+)(?:\+\+|--))`;
    if (new RegExp(object + mutates).test(inFunctions) && !isShadowed(inFunctions, name)) found.add(name);
  }
  for (const [, name = ''] of text.matchAll(/^(?:export )?const (\w+)(?:: RegExp)? = \/.*\/[a-z]*[gy][a-z]*;$/gm))
    if (new RegExp(String.raw`\b${name}\.(?:test|exec|lastIndex)\b`).test(text)) found.add(name);
  return [...found].map((name) => `${basename(path)}: ${name}`);
}

/** Whether a function has a variable or parameter of the same name, which it then writes instead. */
function isShadowed(inFunctions: string, name: string): boolean {
  return new RegExp(
    String.raw`\b(?:const|let) (?:${name}\b|[[{][^=\n]*\b${name}\b)|[(,] ?${name}(?:\??:|[,)] ?.*=>)`,
  ).test(inFunctions);
}

test('no function writes a variable of its module, except those with a reason here', async () => {
  const files = [...(await sourceFiles()), ...(await packageFiles())];
  const written = new Set(files.flatMap(writtenVariables));
  expect([...written].filter((each) => !Object.hasOwn(accepted, each))).toEqual([]);
  // An unused reason would excuse the next variable of that name.
  expect(Object.keys(accepted).filter((each) => !written.has(each))).toEqual([]);
});

test.each([
  ['a variable', 'let last = 0;\nfunction read() {\n  last++;\n}\n'],
  ['a map', 'const cached = new Map<string, number>();\nfunction read() {\n  cached.set("a", 1);\n}\n'],
  ['a buffer', 'const bytes = new Uint8Array(8);\nfunction read() {\n  bytes[1] = 2;\n}\n'],
  ['a member of an object', 'const state = { at: 0 };\nfunction read() {\n  state.at += 1;\n}\n'],
  ['a pattern with a position', 'const word = /a/g;\nfunction read(text: string) {\n  return word.exec(text);\n}\n'],
])('the rule finds that a function writes %s', (_, text) => {
  expect(writtenVariables({ path: 'a.ts', text })).toHaveLength(1);
});

test.each([
  ['a table that is filled as the module is loaded', 'const kinds = new Uint8Array(8);\nkinds[1] = 2;\n'],
  [
    'a variable of the same name in a function',
    'const at = [1];\nfunction read() {\n  const at = [2];\n  at.push(3);\n}\n',
  ],
  [
    'a pattern that is only used to replace',
    'const word = /a/g;\nconst clean = (text: string) => text.replaceAll(word, "");\n',
  ],
])('the rule accepts %s', (_, text) => {
  expect(writtenVariables({ path: 'a.ts', text })).toEqual([]);
});
