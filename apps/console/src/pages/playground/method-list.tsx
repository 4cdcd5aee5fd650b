/** Methods of a network by group, with search. */

import { Fragment, useState } from 'react';
import { classNames } from '../../components/class-names.ts';
import { TextInput } from '../../components/field.tsx';
import { Search } from '../../components/icons.tsx';

export type ListedMethod = { readonly name: string; readonly group: string; readonly summary: string };

export type MethodListProps = {
  readonly methods: readonly ListedMethod[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
};

export function MethodList({ methods, chosen, onChoose }: MethodListProps) {
  const [wanted, setWanted] = useState('');
  const words = wanted.toLowerCase().split(/\s+/);
  const found = methods.filter(({ name, summary }) =>
    words.every((word) => `${name} ${summary}`.toLowerCase().includes(word)),
  );
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <div className="flex min-h-0 flex-col">
      <div className="relative border-b border-line p-3">
        <Search aria-hidden="true" className="absolute top-5.5 left-6 size-4 text-faint" />
        <TextInput
          type="search"
          aria-label="Find a method"
          placeholder="Find a method"
          autoComplete="off"
          className="pl-9"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
          onKeyDown={(event) => {
            const [first] = found;
            if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || first === undefined) return;
            event.preventDefault();
            onChoose(first.name);
          }}
        />
      </div>
      <nav aria-label="Methods" className="min-h-0 flex-1 overflow-y-auto p-2">
        {found.length === 0 && (
          <p className="px-2.5 py-4 text-sm text-soft">No matching methods. You can enter any method as JSON.</p>
        )}
        {groups.map((group) => (
          <div key={group} className="mb-2">
            <p className="px-2.5 py-1 text-xs font-medium text-faint">{group}</p>
            <ul>
              {found
                .filter((method) => method.group === group)
                .map(({ name, summary }) => (
                  <li key={name}>
                    <button
                      type="button"
                      title={summary}
                      aria-current={name === chosen || undefined}
                      onClick={() => onChoose(name)}
                      className={classNames(
                        'min-h-7 w-full rounded-md px-2.5 py-1 text-left font-mono text-xs wrap-anywhere focus-visible:-outline-offset-2',
                        name === chosen ? 'bg-accent-soft text-accent' : 'text-soft hover:bg-raised hover:text-ink',
                      )}
                    >
                      <MethodName name={name} />
                    </button>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
    </div>
  );
}

/** Allows line breaks before capital letters. */
function MethodName({ name }: { readonly name: string }) {
  return name.split(/(?<=[a-z])(?=[A-Z])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one name in a fixed order
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
