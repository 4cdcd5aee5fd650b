/** A hash or address, shortened in the middle; the full value is in the tooltip and is copied. Values that a wallet signs are shown in full, because lookalike addresses can match at both ends. */
import { shortened } from '../format/shortened.ts';
import { CopyButton } from './copy-button.tsx';

export type ShortHashProps = {
  readonly value: string;
  /** Names the value for screen readers, for example "transaction hash". */
  readonly what: string;
  /** Shows the full value; it may wrap. */
  readonly isWhole?: boolean;
};

export function ShortHash({ value, what, isWhole = false }: ShortHashProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code title={value} className={isWhole ? 'break-all' : 'truncate'}>
        {isWhole ? value : shortened(value)}
      </code>
      <CopyButton text={value} what={what} />
    </span>
  );
}
