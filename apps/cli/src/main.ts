/** The process' entry point: parses the arguments and runs one command. Each command loads only its own modules, so that `--help` is fast. */

import type { OperatorCommand } from '@flowgate/gateway/operator-command';
import { version } from '../package.json';
import { type Command, parseCommand } from './command-line.ts';
import { commandUsage, usage } from './command-usage.ts';

await run(parseCommand(process.argv.slice(2)));

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help':
      return say(command.about === undefined ? usage : commandUsage[command.about]);
    case 'version':
      return say(command.json ? `${JSON.stringify({ version })}\n` : `${version}\n`);
    case 'misused': {
      const about = command.about === undefined ? '' : `${command.about} `;
      return fail(`${command.problem} (flowgate ${about}--help)`);
    }
    case 'user':
      return runUserCommand(command.args);
    default:
      return runOperatorCommand(command);
  }
}

async function runUserCommand(args: readonly string[]): Promise<never> {
  const [{ runCli }, { processRuntime }] = await Promise.all([import('./run-cli.ts'), import('./process-runtime.ts')]);
  process.exit(await runCli(args, processRuntime(process.env)));
}

async function runOperatorCommand(command: OperatorCommand): Promise<void> {
  const server = await import('@flowgate/gateway/run-command').catch((error: unknown) => {
    if (!isServerMissing(error)) throw error;
    return fail(
      `${command.kind} needs the gateway, which is not installed. Install it next to this CLI: npm install @flowgate/gateway@${version}`,
    );
  });
  return server.runCommand(command);
}

/** True only if the package itself is missing. A missing module within the gateway is a broken installation and must be reported as such. */
function isServerMissing(error: unknown): boolean {
  return error instanceof Error && 'specifier' in error && error.specifier === '@flowgate/gateway/run-command';
}

function say(text: string): void {
  process.stdout.write(text);
}

function fail(problem: string): never {
  process.stderr.write(`flowgate: ${problem}\n`);
  process.exit(2);
}
