/** Starts exactly one session, even after double clicks or a lost response. */
import type { App, SessionInput, Version } from '@flowgate/client/flow-wire';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select } from '../../components/field.tsx';
import { Play } from '../../components/icons.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { sessionPath, sessionsQuery } from './flow-paths.ts';
import { forgetStart, keyOfStart } from './start-key.ts';

export type StartCardProps = {
  readonly app: App;
  /** Undefined while loading. */
  readonly active: readonly Version[] | undefined;
};

export function StartCard({ app, active }: StartCardProps) {
  const client = useGateway();
  const [, navigate] = useLocation();
  const [asked, setVersion] = useState<string>();
  const [startStepId, setStartStepId] = useState<string>();
  const start = useAction({
    run: (input: SessionInput) => client.flow.sessions.start(input, { idempotencyKey: keyOfStart(input) }),
    changes: [sessionsQuery],
    onDone: (session, input) => {
      forgetStart(input);
      navigate(sessionPath(session));
    },
    showsError: true,
  });
  const version = active?.find((each) => each.version === (asked ?? app.latestVersion));
  const steps = version?.startSteps ?? [];
  const input: SessionInput = {
    appId: app.appId,
    ...(asked !== undefined && { version: asked }),
    ...(startStepId !== undefined && steps.includes(startStepId) && { startStepId }),
  };
  if (app.latestVersion === undefined)
    return (
      <Card title="Start">
        <p className="text-soft">No version of this app is active, so it cannot be started now.</p>
      </Card>
    );
  return (
    <Card title="Start">
      <div className="flex flex-wrap items-end gap-4">
        {active !== undefined && active.length > 1 && (
          <Field label="Version" className="w-full sm:w-52">
            {(control) => (
              <Select
                {...control}
                value={asked ?? app.latestVersion}
                onChange={({ target }) => setVersion(target.value)}
              >
                {active.map(({ version: each }) => (
                  <option key={each}>{each}</option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {steps.length > 1 && (
          <Field label="First step" className="w-full sm:w-52">
            {(control) => (
              <Select
                {...control}
                value={startStepId ?? steps[0]}
                onChange={({ target }) => setStartStepId(target.value)}
              >
                {steps.map((stepId) => (
                  <option key={stepId}>{stepId}</option>
                ))}
              </Select>
            )}
          </Field>
        )}
        <Button tone="primary" busy={start.busy} onClick={() => start.run(input)}>
          <Play aria-hidden="true" className="size-4" />
          {start.busy ? 'Starting…' : 'Start session'}
        </Button>
      </div>
      {start.error !== undefined && (
        <div className="mt-4">
          <ErrorNotice error={start.error} />
        </div>
      )}
    </Card>
  );
}
