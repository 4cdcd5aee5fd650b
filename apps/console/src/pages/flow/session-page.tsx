/** One session: current step, events and details. */
import { FlowgateError } from '@flowgate/client';
import type { Session } from '@flowgate/client/flow-wire';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { BackLink } from '../../components/back-link.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Workflow } from '../../components/icons.tsx';
import { ShortHash } from '../../components/short-hash.tsx';
import { SkeletonRows } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { appPath, appsPath, appsQuery, sessionsQuery } from './flow-paths.ts';
import { EventLog } from './runner/event-log.tsx';
import { Expiry } from './runner/expiry.tsx';
import { keepReceipt, storedReceipt } from './runner/flow-journal.ts';
import { Progress } from './runner/progress.tsx';
import { ReceiptCard } from './runner/receipt-card.tsx';
import { ResultsCard } from './runner/results-card.tsx';
import { StepView } from './runner/step-view.tsx';
import { type RunHandle, useFlowRun } from './runner/use-flow-run.ts';
import { useSessionEvents } from './runner/use-session-events.ts';
import { AbandonDialog, SessionStatusBadge } from './sessions-card.tsx';

export function SessionPage({ sessionId }: { readonly sessionId: string }) {
  const handle = useFlowRun(sessionId);
  const { state, act, problem } = handle;
  const { session, error, phase } = state;
  if (session !== undefined) return <OpenSession handle={handle} session={session} />;
  const failure = error ?? problem;
  return (
    <div>
      <BackLink href={appsPath}>All apps</BackLink>
      <h1 className="sr-only">Session</h1>
      <Card flush>
        {failure === undefined && <SkeletonRows />}
        {failure !== undefined &&
          (failure instanceof FlowgateError && failure.status === 404 ? (
            <EmptyState
              icon={Workflow}
              title="Session not found"
              action={<ButtonLink href={appsPath}>Open catalog</ButtonLink>}
            >
              It may belong to another user, or it ended and was removed.
            </EmptyState>
          ) : (
            <div className="p-5">
              <ErrorNotice
                error={failure}
                onRetry={() => act((run) => (phase === 'unanswered' ? run.retry() : run.begin()))}
              />
            </div>
          ))}
      </Card>
    </div>
  );
}

function OpenSession({ handle, session }: { readonly handle: RunHandle; readonly session: Session }) {
  const { state, act, isBusy } = handle;
  const { sessionId, appId, stateVersion } = session;
  const queries = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  const follower = useSessionEvents(sessionId);
  const client = useGateway();
  const app = useQuery({
    queryKey: [...appsQuery, appId],
    queryFn: ({ signal }) => client.flow.apps.get(appId, { signal }),
  });
  const newest = Math.max(0, ...follower.events.map(({ data }) => data.stateVersion ?? 0));
  const looked = useRef(stateVersion);
  useEffect(() => {
    // Another tab or an expiry changed the session. Refreshed once per version, so an unavailable gateway is not polled.
    if (isBusy || newest <= Math.max(stateVersion, looked.current)) return;
    looked.current = newest;
    act((run) => run.refresh());
  }, [act, isBusy, newest, stateVersion]);
  const [firstVersion] = useState(stateVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new state of the session changes the lists
  useEffect(() => void queries.invalidateQueries({ queryKey: sessionsQuery }), [queries, stateVersion]);
  const { receipt = storedReceipt(sessionId) } = state;
  useEffect(() => {
    if (state.receipt !== undefined) keepReceipt(sessionId, state.receipt);
  }, [state.receipt, sessionId]);
  const isActive = session.status === 'active';
  return (
    <div>
      <BackLink href={appPath(appId)}>All sessions of this app</BackLink>
      <header className="mb-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-[1_1_12rem]">
          <h1 dir="auto" className="text-2xl font-semibold tracking-tight wrap-anywhere">
            {app.data?.name ?? appId}
          </h1>
          <div className="mt-1 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-soft">
            <SessionStatusBadge status={session.status} />
            {isActive && <Expiry at={session.expiresAt} onOver={() => act((run) => run.refresh())} />}
          </div>
        </div>
        {isActive && (
          <Button size="sm" onClick={() => setLeaving(true)}>
            Abandon
          </Button>
        )}
      </header>
      <Progress session={session} events={follower.events} />
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-6">
          {state.phase === 'failed' && state.error !== undefined ? (
            <Gone error={state.error} appId={appId} />
          ) : (
            <StepView key={stateVersion} handle={handle} isNew={stateVersion !== firstVersion} />
          )}
          <ResultsCard events={follower.events} isOver={!isActive} />
          {receipt !== undefined && <ReceiptCard receipt={receipt} />}
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Card title="Details">
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
              <Known name="App" value={<code className="break-all">{appId}</code>} />
              <Known name="Version" value={session.version} />
              <Known name="Session" value={<ShortHash value={sessionId} what="session ID" />} />
              <Known name="Started" value={<Time at={session.createdAt} />} />
              <Known name="Changed" value={<Time at={session.updatedAt} />} />
            </dl>
          </Card>
          <EventLog {...follower} isOver={!isActive} />
        </div>
      </div>
      {isLeaving && (
        <AbandonDialog
          busy={isBusy}
          onClose={() => setLeaving(false)}
          onConfirm={() =>
            act(async (run) => {
              await run.cancel();
              setLeaving(false);
            })
          }
        />
      )}
    </div>
  );
}

function Known({ name, value }: { readonly name: string; readonly value: React.ReactNode }) {
  return (
    <>
      <dt className="self-center text-faint">{name}</dt>
      <dd className="min-w-0">{value}</dd>
    </>
  );
}

/** The session cannot continue: its version is retired, or it was removed. */
function Gone({ error, appId }: { readonly error: FlowgateError; readonly appId: string }) {
  return (
    <Card>
      <ErrorNotice error={error} {...(error.status === 410 && { title: 'This version is retired' })} />
      <p className="mt-4 text-sm text-soft">This session cannot continue. Start a new session with a newer version.</p>
      <ButtonLink href={appPath(appId)} className="mt-3">
        Open app
      </ButtonLink>
    </Card>
  );
}
