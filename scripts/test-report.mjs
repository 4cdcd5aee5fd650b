/** Reads the report of `bun test --reporter=junit`: the totals, each failure with its message, and how long each file took. */
import { readFileSync } from 'node:fs';

/** Characters of a failure's text: enough for an assertion's message and its position. The test's own output has the whole text. */
const shownCharacters = 1_000;

/**
 * @returns {{ tests: number, failed: number, skipped: number, failures: string[], files: { file: string, seconds: number }[] } | undefined} undefined without a report; a failure
 * is `FILE: DESCRIBE > TEST` and, indented below it, its message.
 */
export function readTestReport(path) {
  const xml = readOrEmpty(path);
  // The totals are attributes of the root element, so test names cannot be mistaken for them.
  const root = /<testsuites\b[^>]*>/.exec(xml)?.[0];
  if (root === undefined) return undefined;
  const count = (name) => Number(attribute(root, name) ?? 0);
  return {
    tests: count('tests'),
    failed: count('failures') + count('errors'),
    skipped: count('skipped'),
    failures: [...xml.matchAll(/<testcase\b([^>]*[^/])>(.*?)<\/testcase>/gs)].flatMap(([, head, body]) =>
      /<(?:failure|error)\b/.test(body) ? [describeFailure(head, body)] : [],
    ),
    files: [...xml.matchAll(/<testsuite\b[^>]*>/g)].flatMap(([head]) => filesOf(head)),
  };
}

/** Bun's line for a test that passed at a later attempt, with or without colors. The report in XML does not show attempts. */
const laterAttempt = /^\s*(?:\(pass\)|✓) (.* \(attempt \d+\))(?: \[[\d.]+m?s\])?$/;
const color = /\u001b\[[\d;]*m/g;

/** Collects the tests that needed a second attempt from the output of `bun test`, in chunks of any size. */
export function createAttemptReader() {
  let rest = '';
  const found = [];
  return {
    found,
    read(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const name = laterAttempt.exec(line.replaceAll(color, ''))?.[1];
        if (name !== undefined) found.push(`${name}: a test that fails once has failed`);
      }
    },
  };
}

/** A file's suite. The suites of its `describe` blocks count as part of it. */
function filesOf(head) {
  const [name, file, seconds] = ['name', 'file', 'time'].map((each) => attribute(head, each));
  return file !== undefined && name === file ? [{ file, seconds: Number(seconds) }] : [];
}

function describeFailure(head, body) {
  const suite = attribute(head, 'classname');
  const name = `${attribute(head, 'file')}: ${suite ? `${suite} > ` : ''}${attribute(head, 'name')}`;
  const text = /<(?:failure|error)\b[^>]*>(.*?)<\/(?:failure|error)>/s.exec(body)?.[1];
  const message = unescapeXml(text ?? '') || attribute(body, 'message') || '';
  const lines = message.trim().slice(0, shownCharacters).split('\n');
  return [name, ...lines.filter((line) => line.trim() !== '').map((line) => `    ${line}`)].join('\n');
}

function attribute(element, name) {
  const text = new RegExp(`\\s${name}="([^"]*)"`).exec(element)?.[1];
  return text === undefined ? undefined : unescapeXml(text);
}

function unescapeXml(text) {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return text.replace(/&(?:#(\d+)|(\w+));/g, (whole, code, name) =>
    code === undefined ? (named[name] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
