/**
 * The flowgate.yaml files that the repository ships: those of deploy/, the one that `npm start` runs, and those on its
 * pages.
 */

import { join } from 'node:path';
import { Glob } from 'bun';
import { deployFiles, deployText, repository } from './deploy-files.ts';

export type ShippedConfig = { readonly name: string; readonly text: string };

export async function shippedConfigs(): Promise<readonly ShippedConfig[]> {
  const files = deployFiles('**/flowgate.yaml').map(async (path) => ({ name: path, text: await deployText(path) }));
  const development = Bun.file(join(repository, 'devkit/flowgate.dev.yaml'));
  files.push(development.text().then((text) => ({ name: 'flowgate.dev.yaml', text })));
  const pages = ['README.md', ...new Glob('docs/**/*.md').scanSync(repository)].map(configsOnPage);
  return [...(await Promise.all(files)), ...(await Promise.all(pages)).flat()];
}

/** A fenced YAML block is a complete configuration when it has the two required keys. */
async function configsOnPage(page: string): Promise<readonly ShippedConfig[]> {
  const text = await Bun.file(join(repository, page)).text();
  return [...text.matchAll(/^```yaml\n([\s\S]*?)^```/gm)]
    .map(([, block = ''], nth) => ({ name: `${page}, block ${nth + 1}`, text: block }))
    .filter((block) => /^identity:/m.test(block.text) && /^keys:/m.test(block.text));
}

/** Names of the `${NAME}` placeholders that have no default. */
export function neededVariables(text: string): readonly string[] {
  return [...new Set([...text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name))].sort();
}

/** Values of the right form for the variables in shipped files. */
export const exampleEnvironment: Readonly<Record<string, string>> = {
  FLOWGATE_PEPPER: '0123456789abcdef0123456789abcdef',
  FLOWGATE_PEPPER_OLD: 'fedcba9876543210fedcba9876543210',
  FLOWGATE_PUBLIC_URL: 'https://rpc.example.com',
  IDENTITY_ISSUER: 'https://login.example.com',
  IDENTITY_AUDIENCE: 'https://rpc.example.com',
  POSTGRES_PASSWORD: 'password-of-the-example',
  REDIS_PASSWORD: 'password-of-the-example',
  DATABASE_URL: 'postgres://flowgate:password@postgres.example.com/flowgate?sslmode=verify-full',
  REDIS_URL: 'rediss://:password@redis.example.com:6379',
  NODE_URL: 'https://ethereum-rpc.example.com',
  ALCHEMY_KEY: 'provider-key-of-the-example',
  CLASSIFIER_SECRET: 'classifier-secret-of-the-example',
};
