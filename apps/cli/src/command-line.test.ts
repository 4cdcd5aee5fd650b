import { expect, test } from 'bun:test';
import { type Command, parseCommand } from './command-line.ts';

test.each<[string, Command['kind'], string | undefined]>([
  ['start --config flowgate.yaml', 'start', 'flowgate.yaml'],
  ['start -c flowgate.yaml', 'start', 'flowgate.yaml'],
  ['start flowgate.yaml', 'start', 'flowgate.yaml'],
  ['check-config flowgate.yaml', 'check-config', 'flowgate.yaml'],
  ['check-config --config flowgate.yaml', 'check-config', 'flowgate.yaml'],
  ['healthcheck flowgate.yaml', 'healthcheck', 'flowgate.yaml'],
  ['healthcheck', 'misused', undefined],
  ['healthcheck --json a', 'misused', undefined],
  ['--help', 'help', undefined],
  ['start --help', 'help', undefined],
  ['help', 'help', undefined],
  ['--version', 'version', undefined],
  ['-v', 'version', undefined],
  ['', 'misused', undefined],
  ['start', 'misused', undefined],
  ['start a b', 'misused', undefined],
  ['start --confg a', 'misused', undefined],
  ['run a', 'misused', undefined],
  ['migrate-data --from sqlite:a', 'misused', undefined],
  ['migrate-data --from sqlite:a --to sqlite:b c', 'misused', undefined],
  ['start a --from sqlite:a', 'misused', undefined],
  ['start a --json', 'misused', undefined],
  ['start --config a b', 'misused', undefined],
  ['start --config a --config a', 'misused', undefined],
  ['start --config --json', 'misused', undefined],
  ['start a --version', 'misused', undefined],
  ['check-config --json=yes a', 'misused', undefined],
  ['check-config --json a', 'check-config', 'a'],
  ['check-config --config=-a', 'check-config', '-a'],
  ['check-config -- -a', 'check-config', '-a'],
  ['verify-audit a', 'verify-audit', 'a'],
  ['verify-audit --json -c a', 'verify-audit', 'a'],
  ['verify-audit', 'misused', undefined],
  ['reindex main --from 0 --config a', 'reindex', 'a'],
  ['reindex swaps/ethereum/l2 --from 12 -c a --json', 'reindex', 'a'],
  ['reindex main --from 7 --chain l2 -c a', 'reindex', 'a'],
  ['reindex main --from 7 --chain l3 -c a', 'misused', undefined],
  ['reindex main --from latest -c a', 'misused', undefined],
  ['reindex main --from 1e3 -c a', 'misused', undefined],
  ['reindex main -c a', 'misused', undefined],
  ['reindex --from 7 -c a', 'misused', undefined],
  ['reindex main --from 7', 'misused', undefined],
  ['reindex main other --from 7 -c a', 'misused', undefined],
  ['help nothing', 'misused', undefined],
  ['fly --help', 'misused', undefined],
])('flowgate %s is %s (contract/running#commands)', (line, kind, configFile) => {
  const command = parseCommand(line === '' ? [] : line.split(' '));
  expect(command.kind).toBe(kind);
  if (configFile !== undefined) expect(command).toMatchObject({ kind, configFile });
});

test('migrate-data reads both databases', () => {
  expect(parseCommand(['migrate-data', '--from', 'sqlite:a', '--to', 'postgres://b'])).toEqual({
    kind: 'migrate-data',
    from: 'sqlite:a',
    to: 'postgres://b',
    json: false,
  });
});

test('reindex reads the bridge, its first block and its chain', () => {
  expect(parseCommand(['reindex', 'main', '--from', '7', '--chain', 'l2', '--config', 'a', '--json'])).toEqual({
    ...{ kind: 'reindex', configFile: 'a', target: 'main', from: 7, chain: 'l2', json: true },
  });
});

test.each([
  ['whoami', ['whoami']],
  ['whoami --json', ['whoami', '--json']],
  ['--profile work --json whoami', ['--profile', 'work', '--json', 'whoami']],
  ['--url=http://start networks', ['--url=http://start', 'networks']],
  ['help whoami', ['whoami', '--help']],
  ['networks start', ['networks', 'start']],
])('flowgate %s is for the command line for users (command-line#commands)', (line, args) => {
  expect(parseCommand(line.split(' '))).toEqual({ kind: 'user', args });
});

test.each(['start whoami', '--profile whoami', 'check-config --json whoami', '--url whoami start a'])(
  'flowgate %s is not',
  (line) => {
    expect(parseCommand(line.split(' ')).kind).not.toBe('user');
  },
);

test('help is general or about one command, in each notation', () => {
  for (const args of [['--help'], ['-h'], ['help'], ['--json', '--help']])
    expect(parseCommand(args)).toEqual({ kind: 'help', about: undefined });
  for (const args of [
    ['start', '--help'],
    ['-h', 'start'],
    ['help', 'start'],
    ['start', '--config', 'a', '-h'],
  ])
    expect(parseCommand(args)).toEqual({ kind: 'help', about: 'start' });
});

test.each([
  ['run', 'there is no command run', undefined],
  ['start --confg a', 'there is no option --confg', 'start'],
  ['start -x', 'there is no option -x', 'start'],
  ['start a --json', 'start has no option --json', 'start'],
  ['start -c', '-c needs a value', 'start'],
  ['start --config --json', '--config needs a value', 'start'],
  ['--json=3 check-config a', '--json takes no value', 'check-config'],
  ['check-config -c a -c b', '-c is given twice', 'check-config'],
] as const)('flowgate %s: %s', (line, problem, about) => {
  expect(parseCommand(line.split(' '))).toEqual({ kind: 'misused', problem, about });
});

test('a usage error is one line for any arguments', () => {
  for (const typed of ['a\nb\u2028c\u001b[2J', `--${'x'.repeat(5_000)}`, '-\n', 'x'.repeat(5_000)]) {
    const command = parseCommand([typed]);
    if (command.kind !== 'misused') throw new Error(`${command.kind} is not misused`);
    expect(command.problem).toMatch(/^[^\p{Cc}\u2028]{1,200}$/u);
  }
});
