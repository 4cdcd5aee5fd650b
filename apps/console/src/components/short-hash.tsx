/** A hash or an address, shortened in the middle, whole on hover and when copied. What is signed for is shown whole: addresses can be made that look alike at both ends. */
import { shortened } from '../format/shortened.ts';
import { CopyButton } from './copy-button.tsx';

export type ShortHashProps = {
  readonly value: string;
  /** What it is: "the transaction's hash". */
  readonly what: string;
  /** Nothing is left out; it may break over lines. */
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
