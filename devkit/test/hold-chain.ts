/** A process for tests to kill: starts a chain with the given state file, prints that it runs, and waits. */
import { startChain } from '../src/chain.ts';

const [stateFile = ''] = process.argv.slice(2);
const chain = await startChain({ stateFile, logFile: `${stateFile}.log` });
console.log(chain.url);
await chain.exited;
