/** A JSON value as a tree. Collapsed values are not rendered and long lists are rendered in pieces, so large responses remain fast. */

import { type ReactNode, useState } from 'react';
import { classNames } from '../../components/class-names.ts';
import { ChevronRight } from '../../components/icons.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { exactNumber } from './exact-json.ts';

const pieceLength = 100;
const shownCharacters = 200;
/** Maximum characters shown of one string; copying returns all of it. */
const maxCharacters = 20_000;
/** Values with at most this many members start expanded. */
const fewMembers = 30;

export type JsonTreeProps = {
  readonly value: unknown;
  readonly label: string;
  /** Shown before the value, which starts collapsed. */
  readonly name?: string;
  /** Depth up to which small values start expanded. */
  readonly openDepth?: number;
};

export function JsonTree({ value, label, name, openDepth = 2 }: JsonTreeProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: not part of a form
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <div role="group" aria-label={label} tabIndex={0} className="max-h-[36rem] overflow-auto py-1 font-mono text-sm">
      {name === undefined ? (
        <Entry value={value} openFor={openDepth} isRoot />
      ) : (
        <Entry name={name} value={value} openFor={0} />
      )}
    </div>
  );
}

/** `openFor`: remaining levels that start expanded. */
type EntryProps = {
  readonly name?: string;
  readonly value: unknown;
  readonly openFor: number;
  readonly isRoot?: boolean;
};

function Entry({ value, ...rest }: EntryProps) {
  const isBranch = typeof value === 'object' && value !== null && exactNumber(value) === undefined;
  const { openFor: _openFor, isRoot: _isRoot, ...leaf } = rest;
  return isBranch ? <Branch {...rest} value={value} /> : <Leaf {...leaf} value={value} />;
}

function Branch({ name, value, openFor, isRoot = false }: EntryProps & { readonly value: object }) {
  const isList = Array.isArray(value);
  const names = isList ? undefined : Object.keys(value);
  const size = isList ? value.length : (names?.length ?? 0);
  const [isOpen, setOpen] = useState(isRoot || (openFor > 0 && size <= fewMembers));
  const [shown, setShown] = useState(pieceLength);
  if (size === 0)
    return (
      <Row name={name}>
        <span className="text-faint">{isList ? '[ ]' : '{ }'}</span>
      </Row>
    );
  const upTo = Math.min(size, shown);
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-6 w-full items-center gap-1 rounded text-left hover:bg-raised focus-visible:-outline-offset-2"
      >
        <ChevronRight
          aria-hidden="true"
          className={classNames('size-3.5 shrink-0 text-faint', isOpen && 'rotate-90')}
        />
        {name !== undefined && <span className="break-all text-soft">{name}</span>}
        <span className="text-xs text-faint">{isList ? `[ ${wholeNumber(size)} ]` : `{ ${wholeNumber(size)} }`}</span>
      </button>
      {isOpen && (
        <div className="ml-[0.4375rem] border-l border-line pl-3">
          {Array.from({ length: upTo }, (_, at) => {
            const key = names?.[at] ?? String(at);
            return <Entry key={key} name={key} value={(value as Record<string, unknown>)[key]} openFor={openFor - 1} />;
          })}
          {size > upTo && (
            <button
              type="button"
              onClick={() => setShown(shown + pieceLength)}
              className="my-1 min-h-6 rounded px-1.5 font-sans text-sm font-medium text-accent hover:underline"
            >
              Show {wholeNumber(Math.min(pieceLength, size - upTo))} more of {wholeNumber(size - upTo)}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Row({ name, children }: { readonly name: string | undefined; readonly children: ReactNode }) {
  return (
    <div className="flex min-h-6 items-baseline gap-x-2 pl-[1.125rem] leading-6 max-sm:flex-wrap max-sm:py-0.5 max-sm:leading-5">
      {name !== undefined && <span className="text-soft max-sm:break-all sm:shrink-0">{name}</span>}
      <span className="min-w-0 break-all">{children}</span>
    </div>
  );
}

function Leaf({ name, value }: { readonly name?: string; readonly value: unknown }) {
  const [isWhole, setWhole] = useState(false);
  const number = exactNumber(value);
  if (number !== undefined || typeof value === 'number')
    return (
      <Row name={name}>
        <span className="text-warn">{number ?? String(value)}</span>
      </Row>
    );
  if (typeof value !== 'string')
    return (
      <Row name={name}>
        <span className="text-accent">{String(value)}</span>
      </Row>
    );
  const text = value.slice(0, isWhole ? maxCharacters : shownCharacters);
  return (
    <Row name={name}>
      <span className="text-good">
        “{text}
        {text.length < value.length ? '…' : ''}”
      </span>
      {value.length > shownCharacters && !isWhole && (
        <button
          type="button"
          onClick={() => setWhole(true)}
          className="ml-2 min-h-6 rounded font-sans text-sm font-medium text-accent hover:underline"
        >
          Show more of {wholeNumber(value.length)} characters
        </button>
      )}
      {isWhole && value.length > maxCharacters && (
        <span className="ml-2 font-sans text-sm text-faint">
          {wholeNumber(value.length - maxCharacters)} more characters. Copy the response to see them.
        </span>
      )}
    </Row>
  );
}
