/** Tests a request against the policies and names the one that decides. */
import type { AdminPolicyQuestion, PolicyExplanation, PolicyResource } from '@flowgate/client';
import { useState } from 'react';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Field, Select, TextInput } from '../../components/field.tsx';
import { useAction } from '../../gateway/use-action.ts';

export type ExplainCardProps = {
  readonly explain: (question: AdminPolicyQuestion) => Promise<PolicyExplanation>;
  /** For administrators: test the requests of any user. */
  readonly asksAboutOthers?: boolean;
};

const empty = {
  kind: 'network' as PolicyResource['kind'],
  id: 'ethereum/dev',
  method: '',
  selector: '',
  keyId: '',
  userId: '',
};

const textOr = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export function ExplainCard({ explain, asksAboutOthers = false }: ExplainCardProps) {
  const [asked, setAsked] = useState(empty);
  const set = (member: Partial<typeof empty>) => setAsked({ ...asked, ...member });
  const answer = useAction({
    run: ({ kind, id, method, selector, keyId, userId }: typeof empty) =>
      explain({
        resource: { kind, id: id.trim() },
        ...{ method: textOr(method), selector: textOr(selector), keyId: textOr(keyId) },
        ...(asksAboutOthers && { userId: textOr(userId) }),
      }),
    showsError: true,
  });
  return (
    <Card title="Test request" lead="See whether your policies allow a request, and which policy decides.">
      <form
        className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault();
          answer.run(asked);
        }}
      >
        <Field label="Resource">
          {(control) => (
            <Select
              {...control}
              value={asked.kind}
              onChange={({ target }) => set({ kind: target.value as PolicyResource['kind'] })}
            >
              <option value="network">A network</option>
              <option value="node">A node</option>
              <option value="contract">A contract</option>
              <option value="app">A Flow App</option>
            </Select>
          )}
        </Field>
        {(
          [
            ['id', 'Resource ID', false],
            ['method', 'Method', true],
            ...(asked.kind === 'contract' ? [['selector', 'Selector', true] as const] : []),
            ['keyId', 'API key ID', true],
            ...(asksAboutOthers ? [['userId', 'User ID', true] as const] : []),
          ] as const
        ).map(([member, label, optional]) => (
          <Field key={member} label={label} optional={optional}>
            {(control) => (
              <TextInput
                {...control}
                className="font-mono"
                autoComplete="off"
                value={asked[member]}
                onChange={({ target }) => set({ [member]: target.value })}
              />
            )}
          </Field>
        ))}
        <div className="flex items-end">
          <Button type="submit" busy={answer.busy}>
            {' '}
            Test request{' '}
          </Button>
        </div>
      </form>
      <div aria-live="polite" className="not-empty:mt-4">
        {answer.error !== undefined && <ErrorNotice error={answer.error} />}
        {answer.output !== undefined && answer.error === undefined && <Explanation of={answer.output} />}
      </div>
    </Card>
  );
}

function Explanation({ of: { allowed, decidedBy, considered } }: { readonly of: PolicyExplanation }) {
  const counted = considered === 1 ? '1 policy applies' : `${considered} policies apply`;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Badge tone={allowed ? 'good' : 'bad'}>{allowed ? 'Allowed' : 'Denied'}</Badge>
      <span className="text-soft">
        {decidedBy === undefined ? (
          considered === 0 ? (
            'No policy applies.'
          ) : (
            `${counted}.`
          )
        ) : (
          <>
            Decided by {decidedBy.scope === 'own' ? 'your policy' : 'the operator’s policy'}{' '}
            <code>{decidedBy.policyId}</code>. {counted}.
          </>
        )}
      </span>
    </p>
  );
}
