/** One step, whatever app it comes from. Its texts are texts: markup is shown as it is typed, and nothing is a link. */
import { Flag } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Card } from '../../../components/card.tsx';
import { FactsList, LongText } from './facts-list.tsx';
import { StepForm } from './step-form.tsx';
import { StepWarnings } from './step-warnings.tsx';
import type { RunHandle } from './use-flow-run.ts';

export type StepViewProps = {
  readonly handle: RunHandle;
  /** The person has moved on to it just now: the focus goes along. */
  readonly isNew: boolean;
};

export function StepView({ handle, isNew }: StepViewProps) {
  const { session, phase } = handle.state;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) title.current?.focus();
  }, [isNew]);
  if (session === undefined) return null;
  const step = session.currentStep;
  const { options } = step;
  const isOver = phase === 'over';
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <header className="flex min-w-0 flex-col gap-2">
          <h2
            ref={title}
            tabIndex={-1}
            dir="auto"
            className="text-xl font-semibold tracking-tight wrap-anywhere focus:outline-none"
          >
            {step.title}
          </h2>
          {step.description !== undefined && (
            <div className="text-soft">
              <LongText text={step.description} />
            </div>
          )}
        </header>
        <StepWarnings step={step} />
        {options !== undefined && Object.keys(options).length > 0 && (
          <div className="rounded-lg border border-line bg-raised/50 px-4 py-1.5">
            <FactsList facts={options} />
          </div>
        )}
        {isOver ? (
          <p className="flex items-center gap-2 text-sm text-soft">
            <Flag aria-hidden="true" className="size-4 shrink-0" />
            {endWords[session.status]}
          </p>
        ) : (
          <StepForm handle={handle} />
        )}
      </div>
    </Card>
  );
}

const endWords = {
  active: 'This session is running.',
  completed: 'This session has reached its end.',
  cancelled: 'This session was abandoned. This is where it stood.',
  expired: 'This session has expired. This is where it stood.',
  failed: 'The app has ended this session without success.',
};
