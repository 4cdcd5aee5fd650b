/** Copies a text and confirms it. */

import { useEffect, useState } from 'react';
import { Button, type ButtonProps } from './button.tsx';
import { Check, Copy } from './icons.tsx';

const shownMs = 1_600;

export type CopyButtonProps = {
  readonly text: string;
  /** Names the copied value for screen readers, for example "API key". */
  readonly what: string;
  /** Visible text next to the icon. */
  readonly label?: string;
  readonly tone?: NonNullable<ButtonProps['tone']>;
  readonly className?: string;
};

export function CopyButton({ text, what, label, tone = 'quiet', className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const Icon = copied ? Check : Copy;
  return (
    <>
      <Button
        tone={tone}
        size={label === undefined ? 'icon' : 'sm'}
        aria-label={label === undefined ? `Copy ${what}` : undefined}
        title={label === undefined ? `Copy ${what}` : undefined}
        className={className ?? (label === undefined ? 'size-7! shrink-0' : '')}
        onClick={async () => {
          await navigator.clipboard.writeText(text);
          setCopied(true);
        }}
      >
        <Icon aria-hidden="true" className={copied ? 'size-4 text-good' : 'size-4'} />
        {label !== undefined && (copied ? 'Copied' : label)}
      </Button>
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
