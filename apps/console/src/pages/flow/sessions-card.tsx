/** The user's sessions with their state; resume or abandon them. */
import type { Session, SessionStatus } from '@flowgate/client/flow-wire';
import { useState } from 'react';
import { Link } from 'wouter';
import { Badge, type Tone } from '../../components/badge.tsx';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { Confirm } from '../../components/dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Select } from '../../components/field.tsx';
import { Workflow } from '../../components/icons.tsx';
import { PagedList } from '../../components/paged-list.tsx';
import { Time } from '../../components/time.tsx';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';
import { usePages } from '../../gateway/use-pages.ts';
import { appPath, sessionPath, sessionsQuery } from './flow-paths.ts';

export const statusWords: Readonly<Record<SessionStatus, readonly [Tone, string]>> = {
  active: ['accent', 'Running'],
  completed: ['good', 'Completed'],
  cancelled: ['neutral', 'Abandoned'],
  expired: ['warn', 'Expired'],
  failed: ['bad', 'Failed'],
};

const isStatus = (text: string): text is SessionStatus => Object.hasOwn(statusWords, text);

export function SessionStatusBadge({ status }: Pick<Session, 'status'>) {
  const [tone, text] = statusWords[status];
  return <Badge tone={tone}>{text}</Badge>;
}

export function SessionsCard({ appId }: { readonly appId?: string }) {
  const client = useGateway();
  const [status, setStatus] = useState<SessionStatus>();
  const filter = { ...(appId !== undefined && { appId }), ...(status !== undefined && { status }) };
  const query = usePages([...sessionsQuery, appId, status], (options) =>
    client.flow.sessions.page({ ...options, filter }),
  );
  const [leaving, setLeaving] = useState<Session>();
  const cancel = useAction({
    run: ({ sessionId }: Session) => client.flow.sessions.cancel(sessionId),
    changes: [sessionsQuery],
    done: () => 'Session abandoned',
    onDone: () => setLeaving(undefined),
  });
  return (
    <Card
      title="Your sessions"
      flush
      actions={
        <Select
          aria-label="Session state"
          className="w-auto!"
          value={status ?? ''}
          onChange={({ target }) => setStatus(isStatus(target.value) ? target.value : undefined)}
        >
          <option value="">All</option>
          {Object.entries(statusWords).map(([value, [, text]]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      }
    >
      <PagedList
        query={query}
        empty={
          <EmptyState icon={Workflow} title={status === undefined ? 'No sessions yet' : 'No matching sessions'}>
            Start an app to open a session. You can continue it later or on another device.
          </EmptyState>
        }
      >
        {(sessions) => (
          <DataTable
            label="Sessions"
            columns={columnsWith(setLeaving, appId === undefined)}
            rows={sessions}
            rowKey={({ sessionId }) => sessionId}
          />
        )}
      </PagedList>
      {leaving !== undefined && (
        <AbandonDialog busy={cancel.busy} onConfirm={() => cancel.run(leaving)} onClose={() => setLeaving(undefined)} />
      )}
    </Card>
  );
}

export type AbandonDialogProps = {
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

export function AbandonDialog(props: AbandonDialogProps) {
  return (
    <Confirm title="Abandon this session?" action="Abandon" {...props}>
      You cannot continue it afterwards. Completed actions, such as sent transactions, remain in effect.
    </Confirm>
  );
}

function columnsWith(onLeave: (session: Session) => void, isAppShown: boolean): readonly Column<Session>[] {
  return [
    {
      title: 'Step',
      phone: 'head',
      className: '@4xl:max-w-72',
      cell: (session) => (
        <Link
          href={sessionPath(session)}
          dir="auto"
          className="line-clamp-2 font-medium underline-offset-2 wrap-anywhere hover:underline"
        >
          {session.currentStep.title}
        </Link>
      ),
    },
    ...(isAppShown ? [{ title: 'App', cell: ({ appId }: Session) => <AppLink appId={appId} /> }] : []),
    { title: 'State', cell: ({ status }) => <SessionStatusBadge status={status} /> },
    { title: 'Changed', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
    {
      title: 'Expires',
      cell: ({ status, expiresAt }) => (status === 'active' ? <Time at={expiresAt} /> : <span>–</span>),
    },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'right',
      cell: (session) => (
        <span className="inline-flex gap-2">
          {session.status === 'active' && (
            <Button size="sm" tone="quiet" onClick={() => onLeave(session)}>
              Abandon
            </Button>
          )}
          <ButtonLink size="sm" href={sessionPath(session)}>
            {session.status === 'active' ? 'Continue' : 'View'}
          </ButtonLink>
        </span>
      ),
    },
  ];
}

function AppLink({ appId }: { readonly appId: string }) {
  return (
    <Link href={appPath(appId)} className="text-soft underline-offset-2 wrap-anywhere hover:underline">
      <code>{appId}</code>
    </Link>
  );
}
