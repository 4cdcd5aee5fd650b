/** One step of any app. App texts are shown literally: no markup, no links. */

import { useEffect, useRef } from 'react';
import { ButtonLink } from '../../../components/button.tsx';
import { Card } from '../../../components/card.tsx';
import { Flag } from '../../../components/icons.tsx';
import { appPath, appsPath } from '../flow-paths.ts';
import { FactsList, LongText } from './facts-list.tsx';
import { StepForm } from './step-form.tsx';
import { StepWarnings } from './step-warnings.tsx';
import type { RunHandle } from './use-flow-run.ts';

/** The first control that accepts input. */
const firstField = 'form :is(input, select, textarea):not(:disabled)';

export type StepViewProps = {
  readonly handle: RunHandle;
  /** The user has just reached this step, so its first field or its title gets the focus. */
  readonly isNew: boolean;
};

export function StepView({ handle, isNew }: StepViewProps) {
  const { session, phase } = handle.state;
  const title = useRef<HTMLHeadingElement>(null);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isNew) return;
    const field = body.current?.querySelector<HTMLElement>(firstField);
    (field?.checkVisibility() === true ? field : title.current)?.focus();
  }, [isNew]);
  if (session === undefined) return null;
  const step = session.currentStep;
  const { options } = step;
  const isOver = phase === 'over';
  return (
    <Card>
      <div ref={body} className="flex flex-col gap-5">
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
          <>
            <p className="flex items-center gap-2 text-sm text-soft">
              <Flag aria-hidden="true" className="size-4 shrink-0" />
              {endWords[session.status]}
            </p>
            <div className="flex flex-wrap gap-2">
              <ButtonLink tone="primary" href={appsPath}>
                Done
              </ButtonLink>
              <ButtonLink href={appPath(session.appId)}>Start another session</ButtonLink>
            </div>
          </>
        ) : (
          <StepForm handle={handle} />
        )}
      </div>
    </Card>
  );
}

const endWords = {
  active: 'This session is running.',
  completed: 'This session is complete.',
  cancelled: 'This session was abandoned at this step.',
  expired: 'This session expired at this step.',
  failed: 'The app ended this session as failed.',
};
