/**
 * Every regular expression of the project takes a bounded number of steps for each character, for any text. The
 * expressions are read from the source, so a new one is measured without being listed.
 * For each expression the test makes the texts that take a backtracking engine longest. It counts (does not time) the
 * steps at four lengths, each twice the previous one. A sticky pattern of bounded length is tried only where its caller
 * applies it, at the words that it begins with; for these, the steps of one try are counted.
 *
 * When yours fails: rewrite it so that each repetition ends where the next part begins, put `^` or a lookbehind before
 * the searched part, or use a loop (packages/telemetry/src/redaction/mask-tokens.ts, packages/base/src/text.ts). Where
 * that is unnecessary, add a line here:
 * - to `trusted`, when only the operator or the project can choose the text; name who;
 * - to `bounded`, when the text is short; give the length and what limits it: the cost is then measured at that length;
 * - to `costlyFiles`, when alternatives make it expensive but linear; give the steps for each character and who else
 * waits for it;
 * - to `builtLater`, when a pattern is built at run time; give what it is built from, and examples, which are measured.
 */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { Glob } from 'bun';
import { attacksOn } from './regex-attacks.ts';
import { costOfTry, isLinear, maxStepsOfTry, type RegexCost, regexCost, regexOf } from './regex-cost.ts';
import { regexLiterals } from './regex-literals.ts';
import { isTriedOnce, stepCounter } from './regex-steps.ts';

const projectRoot = join(import.meta.dir, '../..');

type Named = { readonly file: string; readonly pattern: string; readonly because: string };

/** Texts that no untrusted party can choose. */
const trusted: readonly Named[] = [
  {
    file: 'apps/gateway/src/config/config-file.ts',
    pattern: String.raw`/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g`,
    because: 'the configuration file',
  },
  {
    file: 'apps/gateway/src/edge/router.ts',
    pattern: String.raw`/(?<=\/)(?:\{[^}]*\}|[^/]*)(?=\/|$)/g`,
    because: 'the route tables',
  },
];

/** Texts whose length was checked before. The steps for a text of that length stay below `maxBoundedSteps`. */
const bounded: readonly (Named & { readonly length: number })[] = [];
const maxBoundedSteps = 100_000;

/** Maximum steps for each character. */
const perCharacter = 64;
const costlyFiles: readonly { readonly files: RegExp; readonly perCharacter: number; readonly because: string }[] = [
  {
    files: /content-filter\/src\/filter-phrases\.ts$/,
    perCharacter: 160,
    because: 'texts that name a messenger, a wallet or a file with secrets; larger responses are read in the worker',
  },
];

/** Patterns that are built at run time. RE2 (`RE2JS`) needs no measurement: it is linear for every pattern. */
const builtLater: Readonly<Record<string, { readonly of: string; readonly examples: readonly RegExp[] }>> = {
  'apps/gateway/src/rpc/method-policy.ts': {
    of: 'the method lists and the configuration, `*` as `.*` at the end of a name; texts have at most 128 characters',
    examples: [/^(?:personal_.*|admin_.*|debug_trace.*|flashbots_validateBuilder.*|eth_sign.*)$/i],
  },
  'packages/content-filter/src/content-filter-rules.ts': {
    of: 'the names of the tools at /mcp',
    examples: [/(?<![a-z0-9_])(?:list_flow_apps|submit_flow_step|rpc_call)(?![a-z0-9_])/i],
  },
  'devkit/src/token-page.ts': { of: "the cookie's name", examples: [/cookie=([\w-]+)\.([\w-]+)/] },
};

type Source = { readonly path: string; readonly text: string };

const sources: readonly Source[] = await Promise.all(
  ['packages/*/src/**/*.ts', 'apps/gateway/src/**/*.ts', '{client,devkit}/src/**/*.ts']
    .flatMap((pattern) => [...new Glob(pattern).scanSync(projectRoot)])
    .filter((path) => !/\.(test|contract)\.ts$/.test(path))
    .sort()
    .map(async (path) => ({ path, text: await Bun.file(join(projectRoot, path)).text() })),
);

const builds = ({ text }: Source) => /\bRegExp\(/.test(text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, ''));
const builders = sources.filter(builds).map(({ path }) => path);
const built: Record<string, string[]> = await builtPatterns();

/** The patterns that those files build while they are loaded, observed in a separate process. */
async function builtPatterns(): Promise<Record<string, string[]>> {
  const files = builders.filter((path) => builtLater[path] === undefined);
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'list-built-patterns.ts'), ...files], {
    stderr: 'inherit',
  });
  return JSON.parse(await new Response(child.stdout).text());
}

const patterns = sources.flatMap(({ path, text }) =>
  [...new Set([...regexLiterals(text), ...(built[path] ?? [])])].map((pattern) => ({ file: path, pattern })),
);

const isNamed = (list: readonly Named[]) => (each: { file: string; pattern: string }) =>
  list.some(({ file, pattern }) => file === each.file && pattern === each.pattern);

function verdict(file: string, pattern: string): string | undefined {
  const regex = regexOf(pattern);
  if (isTriedOnce(regex)) {
    const { steps, attack } = costOfTry(regex);
    return steps <= maxStepsOfTry
      ? undefined
      : `${file} ${pattern}: ${steps} steps of a try on ${JSON.stringify(attack)}…`;
  }
  const cost = regexCost(regex);
  const max = costlyFiles.find(({ files }) => files.test(file))?.perCharacter ?? perCharacter;
  return isLinear(cost, max) ? undefined : `${file} ${pattern}: ${described(cost)}`;
}

function described({ perCharacter: steps, growth, attack }: RegexCost): string {
  return `${steps.toFixed(0)} steps for each character, growing ${growth.toFixed(1)} times when the text doubles, on ${JSON.stringify(attack)}…`;
}

test('every pattern of the source is found and understood, and the lists above name only existing patterns', () => {
  expect(patterns.length).toBeGreaterThan(200);
  expect(
    [...trusted, ...bounded].filter(
      (each) => !patterns.some(({ file, pattern }) => file === each.file && pattern === each.pattern),
    ),
  ).toEqual([]);
  expect(Object.keys(builtLater).filter((path) => !builders.includes(path))).toEqual([]);
  expect(builders.filter((path) => builtLater[path] === undefined && (built[path] ?? []).length === 0)).toEqual([]);
});

test('every pattern that matches untrusted text is linear', () => {
  const measured = patterns.filter((each) => !isNamed([...trusted, ...bounded])(each));
  const examples = Object.entries(builtLater).flatMap(([file, { examples }]) =>
    examples.map((regex) => ({ file, pattern: String(regex) })),
  );
  expect([...measured, ...examples].flatMap(({ file, pattern }) => verdict(file, pattern) ?? [])).toEqual([]);
}, 600_000);

test('a pattern that is not linear costs little at the maximum length of its text', () => {
  const stepsOf = ({ pattern, length }: { pattern: string; length: number }) => {
    const count = stepCounter(regexOf(pattern));
    return Math.max(
      ...attacksOn(regexOf(pattern)).map((attack) => count(attack(length).slice(0, length), maxBoundedSteps)),
    );
  };
  expect(bounded.filter((each) => stepsOf(each) >= maxBoundedSteps)).toEqual([]);
});

test.each([
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*)?/g,
  /\/+$/,
  /0+$/,
  /\s+$/,
  /(?:a+)+$/,
  /^(?:a|a)*b/,
  /^(?:word|or|\d{1,2})*$/,
  /<!--[\s\S]*?-->/,
  /\[[^\]]*\]\(/,
  /[a-z]+@[a-z]+\.com/,
  /"(?:[^"\\]|\\.)*"/g,
  /^(.*),(.*),(.*);$/,
  /^[.-]*(.*?)$/,
  /(?=.*x)y/g,
  /,\s*;|,[^;]*;/g,
  /\d+\.\d+\.\d+x/,
  /[\w-]+\.[\w-]+$/,
  /(?:ab|c)[^d]*d/i,
  /!\[[^\]\n]{0,5000}\]/,
  /a prefix that is a long one, then [^;]*;/,
])('the measurement detects that %p is not linear', (regex) => {
  const cost = regexCost(regex);
  expect([described(cost), isLinear(cost, perCharacter)]).toEqual([described(cost), false]);
});

test.each([
  /^fk_[0-9A-Za-z]{16}\.[0-9A-Za-z]{49}$/,
  /(?<![\w-])[\w-]+\.[\w-]/g,
  /"(?:[^"\\]|\\.)*"?/g,
  /^[a-z]+(?:-[a-z]+)*$/,
  /\s/g,
  /^\s+|a{1,3}b/u,
  /:\/\/[^\s/]*@/g,
])('the measurement detects that %p is linear', (regex) => {
  const cost = regexCost(regex);
  expect([described(cost), isLinear(cost, perCharacter)]).toEqual([described(cost), true]);
});

test.each([
  /(?:der|die|das) (?:dies\w{0,24}|diese\w{0,24}|das)? ?(?:\w{1,24} )?(?:liest|liefert)/y,
  /(?:a|\w{0,24})(?:b|\w{0,24})(?:c|\w{0,24})d/y,
  /(?:\w{1,4} ?){0,24}x/uy,
  /(?<=the )(?:\w{0,24}){3}x/y,
])('one try of %p takes too many steps', (regex) => {
  expect(isTriedOnce(regex)).toBe(true);
  expect(costOfTry(regex).steps).toBeGreaterThan(maxStepsOfTry);
});

test('one try of a list of words takes few steps, and a sticky pattern of unbounded length is measured as a search', () => {
  expect(costOfTry(/(?:your |the )?(?:seed|recovery) (?:phrase\w{0,24}|words?)(?![\p{L}\p{N}])/uy).steps).toBeLessThan(
    100,
  );
  expect(isTriedOnce(/[a-z]+x/y)).toBe(false);
});

test('literals are distinguished from divisions, texts and comments', () => {
  expect(
    regexLiterals(
      "const a = b / c / d; // /x/\n/* /y/ */ '/z/'; `/${e / f}/${/g[/]\\//u.test(h)}`; return /i/; (j) / k; f(/l/g)",
    ),
  ).toEqual(['/g[/]\\//u', '/i/', '/l/g']);
});
