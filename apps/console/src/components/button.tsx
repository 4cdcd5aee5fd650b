/** Buttons, and links styled as buttons. */
import type { ComponentProps } from 'react';
import { Link } from 'wouter';
import { classNames } from './class-names.ts';

export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'danger';

const base =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-colors select-none disabled:opacity-55 aria-disabled:opacity-55';
const tones: Readonly<Record<ButtonTone, string>> = {
  primary: 'bg-accent-solid text-white hover:bg-accent-hover',
  secondary: 'border border-line-strong/60 bg-surface text-ink hover:bg-raised',
  quiet: 'text-soft hover:bg-raised hover:text-ink',
  danger: 'bg-bad-solid text-white hover:opacity-90',
};
const sizes = { md: 'h-9 px-3.5 text-base', sm: 'h-8 px-2.5 text-sm', icon: 'size-9' } as const;

type Look = { readonly tone?: ButtonTone; readonly size?: keyof typeof sizes };

export function buttonClasses({ tone = 'secondary', size = 'md' }: Look, more?: string): string {
  return classNames(base, tones[tone], sizes[size], more);
}

export type ButtonProps = ComponentProps<'button'> & Look & { readonly busy?: boolean };

/** While `busy`, clicks do nothing. */
export function Button({ tone, size, busy = false, className, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={buttonClasses({ ...(tone && { tone }), ...(size && { size }) }, className)}
    />
  );
}

export type ButtonLinkProps = Look & {
  readonly href: string;
  readonly children: React.ReactNode;
  readonly className?: string;
};

export function ButtonLink({ tone, size, className, href, children }: ButtonLinkProps) {
  return (
    <Link href={href} className={buttonClasses({ ...(tone && { tone }), ...(size && { size }) }, className)}>
      {children}
    </Link>
  );
}
