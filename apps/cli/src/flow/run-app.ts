/** `flowgate flow run`: runs an app, for a user at a terminal or for a program. */

import type { Session } from '@flowgate/client';
import { createFlowRun, type FlowRunBeginning, runFlow } from '@flowgate/client/flow';
import type { LocalAccount } from 'viem';
import type { Cli } from '../cli.ts';
import { CliProblem } from '../cli-problem.ts';
import { plainJson } from '../output/plain-text.ts';
import { answerStep } from './answer-step.ts';
import { payFor } from './consent.ts';
import { givenValues } from './given-values.ts';
import { readKeyFile } from './key-file.ts';
import { createPrompts } from './prompts.ts';
import { createRunRecords } from './run-records.ts';
import { waitFor } from './wait-for.ts';
import type { RunOptions, Walk } from './walk.ts';

export async function runApp(cli: Cli, appId: string | undefined, options: RunOptions): Promise<void> {
  const { output, runtime } = cli;
  if ((appId === undefined) === (options.session === undefined))
    throw new CliProblem(
      'usage',
      'an app is missing, or a session',
      'flowgate flow run publisher/slug, or flowgate flow run --session ses_…',
    );
  if (options.payUpTo !== undefined && !/^\d{1,78}$/.test(options.payUpTo))
    throw new CliProblem('usage', '--pay-up-to is a whole number of the token’s smallest units');
  const given = givenValues(options.set, options.setFile, options.action);
  const { url } = await cli.connect('token', 'apiKey');
  const { flow } = await cli.client('token', 'apiKey');
  const streams = output.isJson() ? undefined : runtime.prompts;
  const prompts = streams === undefined ? undefined : createPrompts(streams, runtime.signal);
  let account: Promise<LocalAccount> | undefined;
  const askPassword = prompts === undefined ? undefined : () => prompts.secret('The password of the key file');
  const walk: Walk = {
    ...{ cli, options, given, prompts, url },
    account: async () => {
      if (options.keyFile !== undefined) account ??= readKeyFile(options.keyFile, runtime.environment, askPassword);
      return account;
    },
    report: async (document) => {
      if (output.isJson()) await output.raw(`${plainJson(JSON.stringify(document))}\n`);
    },
  };
  // Checked before any request: an invalid file must not interrupt a session.
  await walk.account();

  const records = createRunRecords(cli, url);
  const run = createFlowRun(flow.sessions, beginningOf(appId, options, records.read), { journal: records.keep });
  let paid = 0;
  let last: Session | undefined;
  const seen = (session: Session) => {
    last = session;
  };
  try {
    const state = await runFlow(
      run,
      {
        answer: async (asked) => {
          seen(asked.session);
          return answerStep(walk, asked);
        },
        pay: async (asked) => {
          seen(asked.session);
          paid += 1;
          return payFor(walk, asked, paid);
        },
        wait: async (asked) => {
          seen(asked.session);
          return waitFor(walk, asked);
        },
      },
      { signal: runtime.signal },
    );
    const { session, error, phase } = state;
    if (phase === 'failed' || session === undefined)
      throw error ?? new CliProblem('failed', 'the session cannot continue');
    if (phase !== 'over') {
      await walk.report({ type: 'left', sessionId: session.sessionId, stepId: session.currentStep.stepId });
      await output.note(`The session waits: flowgate flow run --session ${session.sessionId}`);
      return;
    }
    await sayEnd(walk, session);
  } catch (error) {
    if (last !== undefined && !output.isJson())
      await output.note(`The session waits: flowgate flow run --session ${last.sessionId}`);
    throw error;
  }
}

function beginningOf(
  appId: string | undefined,
  options: RunOptions,
  read: ReturnType<typeof createRunRecords>['read'],
): FlowRunBeginning {
  const { session: sessionId } = options;
  if (sessionId !== undefined) {
    if (!/^ses_[0-9A-Z]{26}$/.test(sessionId)) throw new CliProblem('usage', '--session is the id of a session, ses_…');
    const record = read(sessionId);
    return record === undefined ? { sessionId } : { record };
  }
  const { appVersion, startStep } = options;
  return {
    start: {
      appId: appId ?? '',
      ...(appVersion === undefined ? {} : { version: appVersion }),
      ...(startStep === undefined ? {} : { startStepId: startStep }),
    },
  };
}

async function sayEnd({ cli, given, prompts, report }: Walk, session: Session): Promise<void> {
  const { output } = cli;
  const { status, currentStep, paymentReceipt } = session;
  const receipt = paymentReceipt === undefined ? {} : { paymentReceipt };
  await report({ type: 'over', sessionId: session.sessionId, status, step: currentStep, ...receipt });
  const lines = [currentStep.title, ...(currentStep.description === undefined ? [] : [currentStep.description])];
  if (prompts !== undefined) prompts.say(lines.join('\n'), status === 'completed' ? 'success' : 'error');
  else if (!output.isJson()) await output.say(lines.join('\n'), status === 'completed' ? 'green' : 'red');
  const unused = given.unused();
  if (unused.length > 0) await output.note(`No step used ${unused.join(', ')}.`, 'yellow');
  if (status !== 'completed') throw new CliProblem('refused', `the session is ${status}`);
}
