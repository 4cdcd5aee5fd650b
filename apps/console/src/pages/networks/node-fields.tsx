/** Fields of the node forms. */
import { Field, TextInput } from '../../components/field.tsx';
import { useProviders } from './providers-card.tsx';

type NodeFieldProps = {
  readonly value: string;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
};

/** `current`: the masked URL, which applies while the field is empty. */
export function UrlField({ value, problem, onChange, current }: NodeFieldProps & { readonly current?: string }) {
  const providers = useProviders().data ?? [];
  const isLocal = ['localhost', '127.0.0.1'].includes(location.hostname);
  const local = providers.some(({ domains }) => domains.includes('127.0.0.1')) && isLocal;
  const names = providers.map(({ name }) => name).join(', ');
  return (
    <Field
      label={current === undefined ? 'URL' : 'New URL'}
      optional={current !== undefined}
      problem={problem}
      hint={
        <>
          {current !== undefined && (
            <>
              Current URL: <code className="text-xs break-all">{current}</code>. Leave empty for no change.{' '}
            </>
          )}
          {names === ''
            ? 'HTTPS, with the provider’s key in the path.'
            : `HTTPS at an approved provider (${names}), with its key in the path.`}
          {local && (
            <>
              {' '}
              In development:{' '}
              <code className="text-xs break-all">http://127.0.0.1:9300/v2/ANY-KEY-OF-16-CHARACTERS</code>
            </>
          )}
        </>
      }
    >
      {(control) => (
        <TextInput
          {...control}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={4_096}
          placeholder="https://eth-mainnet.g.alchemy.com/v2/YOUR-KEY"
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}

export function LabelField({ value, problem, onChange }: NodeFieldProps) {
  return (
    <Field label="Label" optional problem={problem} hint="A name for this node, such as “archive, Frankfurt”.">
      {(control) => (
        <TextInput
          {...control}
          autoComplete="off"
          maxLength={200}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
