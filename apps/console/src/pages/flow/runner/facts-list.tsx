/** Shows a step's `options` as a nested list, with readable names and shortened hashes. */
import type { JsonMembers } from '@flowgate/client/flow-wire';
import type { ReactNode } from 'react';
import { ShortHash } from '../../../components/short-hash.tsx';
import { inWords } from '../../../format/in-words.ts';

/** Deeper values are shown as JSON. */
const deepest = 3;
const maxShown = 100;

export function FactsList({ facts }: { readonly facts: JsonMembers }) {
  return (
    <dl className="divide-y divide-line">
      {Object.entries(facts)
        .slice(0, maxShown)
        .map(([name, value]) => (
          <div key={name} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[minmax(0,11rem)_minmax(0,1fr)]">
            <dt className="text-sm text-faint wrap-anywhere">{inWords(name)}</dt>
            <dd className="min-w-0 text-sm wrap-anywhere">
              <Fact value={value} name={name} depth={1} />
            </dd>
          </div>
        ))}
    </dl>
  );
}

function Fact({ value, name, depth }: { readonly value: unknown; readonly name: string; readonly depth: number }) {
  if (value === null || value === undefined || value === '') return <span className="text-faint">–</span>;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (typeof value === 'string')
    return /^0x[0-9a-fA-F]{20,}$/.test(value) ? (
      <ShortHash value={value} what={inWords(name)} />
    ) : (
      <LongText text={value} />
    );
  if (typeof value !== 'object') return String(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span className="text-faint">–</span>;
  if (depth >= deepest) return <code className="wrap-anywhere">{JSON.stringify(value)}</code>;
  if (Array.isArray(value))
    return (
      <ul className="flex flex-col gap-1">
        {entries.slice(0, maxShown).map(([at, each]) => (
          <li key={at} className="border-l-2 border-line pl-2.5">
            <Fact value={each} name={name} depth={depth + 1} />
          </li>
        ))}
      </ul>
    );
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-0.5">
      {entries.slice(0, maxShown).map(([inner, each]) => (
        <span key={inner} className="inline-flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          <span className="text-xs text-faint">{inWords(inner)}</span>
          <Fact value={each} name={inner} depth={depth + 1} />
        </span>
      ))}
    </span>
  );
}

const shortText = 600;

/** A text of an app with its line breaks; long ones are collapsed. */
export function LongText({ text }: { readonly text: string }): ReactNode {
  const shown = (part: string) => (
    <span dir="auto" className="block whitespace-pre-line wrap-anywhere">
      {part}
    </span>
  );
  if (text.length <= shortText) return shown(text);
  return (
    <details className="group min-w-0">
      <summary className="list-none">
        <span className="group-open:hidden">{shown(`${text.slice(0, shortText)}…`)}</span>
        <span className="text-accent underline underline-offset-2">
          <span className="group-open:hidden">Show all {text.length.toLocaleString('en')} characters</span>
          <span className="hidden group-open:inline">Show less</span>
        </span>
      </summary>
      {shown(text)}
    </details>
  );
}
