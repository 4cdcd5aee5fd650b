/** Fields of the policy form: subjects, resource and calls. */
import { ChoiceGroup } from '../../components/choice-group.tsx';
import { Field, Select, TextArea, TextInput } from '../../components/field.tsx';
import { type Draft, hasMethods, methodGroups, type Who } from './policy-draft.ts';
import { useOwnKeys, useResourceChoices } from './use-choices.ts';

export type PolicyFieldProps = {
  readonly draft: Draft;
  readonly set: (members: Partial<Draft>) => void;
  readonly problem: string | undefined;
};

const whoTitles: Readonly<Record<'own' | 'global', readonly (readonly [Who, string])[]>> = {
  own: [
    ['keys', 'Some of my keys'],
    ['users', 'Other users'],
    ['everyone', 'Everyone'],
    ['listed', 'A list of subjects'],
  ],
  global: [
    ['users', 'Some users'],
    ['everyone', 'Everyone'],
    ['listed', 'A list of subjects'],
  ],
};

export function WhoFields({ draft, set, problem, scope }: PolicyFieldProps & { readonly scope: 'own' | 'global' }) {
  const keys = useOwnKeys(scope === 'own' && draft.who === 'keys');
  const known = new Set(keys?.map(([id]) => id));
  const unknown = draft.keys.filter((id) => !known.has(id)).map((id) => [id, `fk_${id}`] as const);
  return (
    <>
      <Field label="Who">
        {(control) => (
          <Select {...control} value={draft.who} onChange={({ target }) => set({ who: target.value as Who })}>
            {whoTitles[scope].map(([who, title]) => (
              <option key={who} value={who}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.who === 'keys' && (
        <ChoiceGroup
          label="Keys"
          problem={problem}
          choices={[...(keys ?? []), ...unknown]}
          chosen={draft.keys}
          onChange={(chosen) => set({ keys: chosen })}
          empty={keys === undefined ? 'Loading your keys…' : 'No API keys yet. Create one on the API keys page.'}
        />
      )}
      {draft.who === 'users' && (
        <Field label="Users" hint="One user ID per line." problem={problem}>
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              className="font-mono"
              value={draft.users}
              onChange={({ target }) => set({ users: target.value })}
            />
          )}
        </Field>
      )}
      {draft.who === 'listed' && (
        <Field label="Subjects" hint="One per line: *, user:ID, key:KEYID, role:ROLE." problem={problem}>
          {(control) => (
            <TextArea
              {...control}
              rows={3}
              className="font-mono"
              value={draft.listed}
              onChange={({ target }) => set({ listed: target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

const kindTitles: Readonly<Record<Draft['kind'], readonly [one: string, all: string, other: string]>> = {
  network: ['A network', 'Every network', 'The network’s path, such as ethereum/mainnet.'],
  node: ['A node', 'Every node', 'The node’s ID.'],
  contract: ['A contract', 'Every contract', 'ethereum/mainnet/0x…'],
  app: ['A Flow App', 'Every Flow App', 'publisher/name'],
};

/** Option value that opens a text field. */
const typed = ' typed';

export function ResourceFields({ draft, set, problem }: PolicyFieldProps) {
  const { kind, id } = draft;
  const choices = useResourceChoices(kind);
  const [, all, otherHint] = kindTitles[kind];
  const isKnown = id === '' || id === '*' || choices?.some(([each]) => each === id) === true;
  return (
    <>
      <Field label="What">
        {(control) => (
          <Select
            {...control}
            value={kind}
            onChange={({ target }) =>
              set({ kind: target.value as Draft['kind'], id: '', calls: 'all', groups: [], methods: '', selectors: '' })
            }
          >
            {Object.entries(kindTitles).map(([each, [title]]) => (
              <option key={each} value={each}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Which one" problem={isKnown ? problem : undefined}>
        {(control) => (
          <Select
            {...control}
            value={isKnown ? id : typed}
            onChange={({ target }) => set({ id: target.value === typed ? ' ' : target.value })}
          >
            <option value="">Choose…</option>
            {(choices ?? []).map(([each, title]) => (
              <option key={each} value={each}>
                {title}
              </option>
            ))}
            <option value="*">{all}</option>
            <option value={typed}>Other…</option>
          </Select>
        )}
      </Field>
      {!isKnown && (
        <Field label="Resource ID" hint={otherHint} problem={problem}>
          {(control) => (
            <TextInput
              {...control}
              className="font-mono"
              autoComplete="off"
              value={id.trimStart()}
              onChange={({ target }) => set({ id: target.value === '' ? ' ' : target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

export function CallFields({ draft, set, problem }: PolicyFieldProps) {
  if (draft.kind === 'contract')
    return (
      <Field label="Functions" optional hint="One selector per line, such as 0xa9059cbb." problem={problem}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            className="font-mono"
            value={draft.selectors}
            onChange={({ target }) => set({ selectors: target.value })}
          />
        )}
      </Field>
    );
  if (!hasMethods(draft)) return null;
  return (
    <>
      <Field label="Which calls">
        {(control) => (
          <Select
            {...control}
            value={draft.calls}
            onChange={({ target }) => set({ calls: target.value === 'some' ? 'some' : 'all' })}
          >
            <option value="all">All calls</option>
            <option value="some">Some calls</option>
          </Select>
        )}
      </Field>
      {draft.calls === 'some' && (
        <>
          <ChoiceGroup
            label="Kinds of calls"
            problem={problem}
            choices={methodGroups.map(({ id, title }) => [id, title] as const)}
            chosen={draft.groups}
            onChange={(groups) => set({ groups })}
          />
          <Field label="Other methods" optional hint="One per line. * matches any characters, as in debug_*.">
            {(control) => (
              <TextArea
                {...control}
                rows={3}
                className="font-mono"
                value={draft.methods}
                onChange={({ target }) => set({ methods: target.value })}
              />
            )}
          </Field>
        </>
      )}
    </>
  );
}
