/** A gateway can start with every flowgate.yaml that the repository ships. */

import { expect, test } from 'bun:test';
import { readConfig } from '../../apps/gateway/src/config/config-file.ts';
import { exampleEnvironment, neededVariables, shippedConfigs } from './shipped-configs.ts';

const configs = await shippedConfigs();

test('the configurations of deploy/, README and docs are found', () => {
  expect(configs.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'compose/flowgate.yaml',
      'kubernetes/flowgate.yaml',
      'flowgate.dev.yaml',
      'README.md, block 1',
      'example/flowgate.yaml',
    ]),
  );
});

for (const { name, text } of configs)
  test(`${name} is a valid configuration`, () => {
    const loaded = readConfig(text, exampleEnvironment);
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
    expect(neededVariables(text).filter((variable) => exampleEnvironment[variable] === undefined)).toEqual([]);
  });
