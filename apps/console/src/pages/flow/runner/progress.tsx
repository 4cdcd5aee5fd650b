/** The completed steps of a session, in order. Apps branch and repeat steps, so upcoming steps are unknown. */
import type { FlowEvent, Session } from '@flowgate/client/flow-wire';
import { Check } from '../../../components/icons.tsx';
import { inWords } from '../../../format/in-words.ts';

/** Shows only the newest steps; a session may repeat a step many times. */
const maxShown = 6;

export type ProgressProps = { readonly session: Session; readonly events: readonly FlowEvent[] };

export function Progress({ session: { currentStep, status }, events }: ProgressProps) {
  const done = events.flatMap(({ type, data: { stepId } }) =>
    type === 'step_submitted' && typeof stepId === 'string' ? [stepId] : [],
  );
  // A step that is shown again with an error was not completed.
  const left = done.filter((stepId, at) => stepId !== (done[at + 1] ?? currentStep.stepId));
  const shown = left.slice(-maxShown);
  return (
    <nav aria-label="Progress" className="mb-4">
      <ol className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
        {shown.map((stepId, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step may occur more than once
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
