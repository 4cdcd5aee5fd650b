/** `npm run bench`: reads the arguments, prints the table, and removes all created files. */
import { parseArguments, usage } from './arguments.ts';
import { runBench } from './bench.ts';
import { reportText } from './report.ts';
import { Workshop } from './workshop.ts';

async function main(words: readonly string[]): Promise<number> {
  if (words.includes('--help')) {
    console.log(usage);
    return 0;
  }
  const options = argumentsOrProblem(words);
  if (typeof options === 'string') {
    console.error(`${options}\n\n${usage}`);
    return 2;
  }
  const workshop = new Workshop();
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    void workshop.close();
  };
  process.once('SIGINT', interrupt);
  process.once('SIGTERM', interrupt);
  try {
    const report = await runBench(workshop, options, (sentence) => console.error(sentence));
    console.log(reportText(report));
    if (options.json !== undefined) await Bun.write(options.json, `${JSON.stringify(report, null, 2)}\n`);
    return report.problems.length === 0 ? 0 : 1;
  } catch (error) {
    if (interrupted) return 130;
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await workshop.close();
  }
}

function argumentsOrProblem(words: readonly string[]): ReturnType<typeof parseArguments> | string {
  try {
    return parseArguments(words);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

process.exit(await main(process.argv.slice(2)));
