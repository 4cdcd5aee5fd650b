/** A hash or an address, shortened in the middle, whole on hover and when copied. */
import { shortened } from '../format/shortened.ts';
import { CopyButton } from './copy-button.tsx';

export type ShortHashProps = {
  readonly value: string;
  /** What it is: "the transaction's hash". */
  readonly what: string;
};

export function ShortHash({ value, what }: ShortHashProps) {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <code title={value} className="truncate">
        {shortened(value)}
      </code>
      <CopyButton text={value} what={what} />
    </span>
  );
}
