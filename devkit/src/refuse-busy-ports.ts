/** Finds ports in use before anything starts, and says how to choose others. */
import { createServer } from 'node:net';
import { portSettings, StartProblem, type StartSettings, usedPorts } from './start-settings.ts';

/** Throws a `StartProblem` that names each busy port, its purpose and the option that changes it. */
export async function refuseBusyPorts(settings: StartSettings): Promise<void> {
  const problems: string[] = [];
  for (const name of usedPorts(settings)) {
    const { flag, variable, meaning } = portSettings[name];
    const port = settings[name];
    const code = await tryToListen(port);
    if (code === undefined) continue;
    const what = code === 'EADDRINUSE' ? 'is already in use' : `cannot be used (${code})`;
    const other = port < 65_535 ? port + 1 : port - 1;
    problems.push(
      `Port ${port} ${what}; ${meaning} needs it. Stop the program that uses it, or choose another port: npm start -- --${flag} ${other} (or ${variable}=${other} npm start).`,
    );
  }
  if (problems.length > 0) throw new StartProblem(problems.join('\n'));
}

/** The error code when listening fails. The port is free again when this resolves. */
function tryToListen(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
