/** The steps of a session in the order in which the person went through them. Apps branch and repeat steps, so nothing is said about steps to come. */
import type { FlowEvent, Session } from '@flowgate/client/flow-wire';
import { Check } from '../../../components/icons.tsx';
import { inWords } from '../../../format/in-words.ts';

/** The newest; a session may go through a step many times. */
const maxShown = 6;

export type ProgressProps = { readonly session: Session; readonly events: readonly FlowEvent[] };

export function Progress({ session: { currentStep, status }, events }: ProgressProps) {
  const done = events.flatMap(({ type, data: { stepId } }) =>
    type === 'step_submitted' && typeof stepId === 'string' ? [stepId] : [],
  );
  // A step that was shown again with an error was not left.
  const left = done.filter((stepId, at) => stepId !== (done[at + 1] ?? currentStep.stepId));
  const shown = left.slice(-maxShown);
  return (
    <nav aria-label="Progress" className="mb-4">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        {shown.map((stepId, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step may be there more than once
          <li key={at} className="flex items-center gap-1.5 text-soft">
            <Check aria-hidden="true" className="size-4 text-good" />
            <span className="max-w-48 truncate">{inWords(stepId)}</span>
            <span aria-hidden="true" className="text-faint">
              ›
            </span>
          </li>
        ))}
        <li aria-current="step" className="font-medium">
          {status === 'active' ? `Step ${left.length + 1}: ` : ''}
          <span className="wrap-anywhere">{inWords(currentStep.stepId)}</span>
        </li>
      </ol>
    </nav>
  );
}
