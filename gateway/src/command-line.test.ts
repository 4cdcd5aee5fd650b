import { expect, test } from 'bun:test';
import { type Command, parseCommand } from './command-line.ts';

test.each<[string, Command['kind'], string | undefined]>([
  ['start --config flowgate.yaml', 'start', 'flowgate.yaml'],
  ['start -c flowgate.yaml', 'start', 'flowgate.yaml'],
  ['start flowgate.yaml', 'start', 'flowgate.yaml'],
  ['check-config flowgate.yaml', 'check-config', 'flowgate.yaml'],
  ['check-config --config flowgate.yaml', 'check-config', 'flowgate.yaml'],
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
])('flowgate %s is %s (decisions 1)', (line, kind, configFile) => {
  const command = parseCommand(line === '' ? [] : line.split(' '));
  expect(command.kind).toBe(kind);
  if (configFile !== undefined) expect(command).toEqual({ kind, configFile } as Command);
});

test('a move names both databases', () => {
  expect(parseCommand(['migrate-data', '--from', 'sqlite:a', '--to', 'postgres://b'])).toEqual({
    kind: 'migrate-data',
    from: 'sqlite:a',
    to: 'postgres://b',
  });
});

test('what is misused is named', () => {
  expect(parseCommand(['run'])).toEqual({ kind: 'misused', problem: 'there is no command run' });
});
