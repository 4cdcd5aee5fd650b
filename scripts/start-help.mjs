/** The text of `npm start -- --help`. Reads the table of options without TypeScript, so that it works before an installation. */
import { readFileSync } from 'node:fs';

const optionsFile = new URL('../devkit/start-options.json', import.meta.url);

/** @returns {string} one line for each option: flag, environment variable, default, meaning. */
export function startHelp() {
  const options = Object.values(JSON.parse(readFileSync(optionsFile, 'utf8')));
  const rows = options.map(({ flag, variable, fallback, meaning }) => {
    const value = { data: ' DIRECTORY', bridge: '' }[flag] ?? ' PORT';
    return `  ${`--${flag}${value}`.padEnd(27)} ${variable.padEnd(30)} ${fallback.padEnd(8)} ${meaning}`;
  });
  return `npm start [-- OPTIONS]: the gateway, a local chain, an identity provider and sample Flow Apps on this machine

${rows.join('\n')}

An environment variable does the same as its option; the option wins. The first start installs what is missing.
URL, key and token are written to dev.env in the data directory, readable by you alone. Ctrl-C stops everything.`;
}
