/** The outcome of the last attempt, and the next options. */
import type { FlowgateError } from '@flowgate/client';
import type { FlowRunState } from '@flowgate/client/flow';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { storedRecord } from './flow-journal.ts';

export type RunNoticeProps = {
  readonly state: FlowRunState;
  readonly problem: unknown;
  /** Sends the same submission again with its idempotency key. */
  readonly onRetry: () => void;
  /** Findings that belong to no field. */
  readonly loose: readonly string[];
};

export function RunNotice({ state: { phase, error, findings, session }, problem, onRetry, loose }: RunNoticeProps) {
  if (problem !== undefined) return <ErrorNotice error={problem} />;
  if (error === undefined && phase === 'step' && isWithheld(session?.sessionId))
    return (
      <p role="note" className="rounded-lg border border-warn/40 bg-warn-soft px-4 py-3 text-sm">
        Your last submission before the page reloaded has no response yet. Secrets are not stored: enter them again and
        choose the same action. It runs only once.
      </p>
    );
  if (error === undefined || phase === 'submitting') return null;
  // The payment card shows it.
  if (phase === 'payment') return null;
  if (phase === 'unanswered') return <ErrorNotice error={error} {...unansweredWords(error)} onRetry={onRetry} />;
  if (findings.length > 0)
    return loose.length === 0 ? null : (
      <ErrorNotice error={error} title="The app did not accept your input" text={loose.join('\n')} />
    );
  if (error.status === 409)
    return (
      <ErrorNotice
        error={error}
        title="The session has changed"
        text={`Your submission was not accepted. Review the current step, then choose an action. ${error.message}`}
      />
    );
  return <ErrorNotice error={error} />;
}

function unansweredWords(error: FlowgateError): { readonly title?: string; readonly text?: string } {
  if (error.status === 409)
    return {
      title: 'This session is busy',
      text: 'Another submission is in progress, perhaps from another tab or one of your agents. Yours will be sent once, after it finishes.',
    };
  if (error.kind === 'no-answer')
    return {
      title: 'No response',
      text: 'The outcome is unknown. Try again to find out. The action runs only once.',
    };
  return {};
}

/** True when the pending submission contains secrets, which the tab does not store. */
function isWithheld(sessionId: string | undefined): boolean {
  const pending = sessionId === undefined ? undefined : storedRecord(sessionId)?.pending;
  return pending !== undefined && pending.withheld.length > 0;
}
