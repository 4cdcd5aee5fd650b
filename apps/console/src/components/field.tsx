/** A form field; label, hint and problem are linked to the control by ID. */
import { type ComponentProps, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

export type FieldProps = {
  readonly label: string;
  readonly hint?: ReactNode;
  /** The error; shown in place of the hint. */
  readonly problem?: string | undefined;
  readonly optional?: boolean;
  readonly className?: string;
  readonly children: (control: {
    readonly id: string;
    readonly 'aria-describedby': string | undefined;
    readonly 'aria-invalid': true | undefined;
  }) => ReactNode;
};

export function Field({ label, hint, problem, optional = false, className, children }: FieldProps) {
  const id = useId();
  const note = problem ?? hint;
  const noteId = note === undefined ? undefined : `${id}-note`;
  return (
    <div className={classNames('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="flex items-baseline gap-2 text-sm font-medium">
        <span dir="auto" className="min-w-0 wrap-anywhere">
          {label}
        </span>
        {optional && <span className="text-xs font-normal text-faint">optional</span>}
      </label>
      {children({ id, 'aria-describedby': noteId, 'aria-invalid': problem === undefined ? undefined : true })}
      {note !== undefined && (
        <p
          id={noteId}
          className={classNames('text-xs wrap-anywhere', problem === undefined ? 'text-faint' : 'text-bad')}
        >
          {note}
        </p>
      )}
    </div>
  );
}

/** Classes shared by all controls. */
export const control =
  'w-full rounded-md border border-line-strong bg-surface px-3 text-base text-ink aria-invalid:border-bad disabled:opacity-60';

export function TextInput({ className, ...rest }: ComponentProps<'input'>) {
  return <input type="text" {...rest} className={classNames(control, 'h-9', className)} />;
}

export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea rows={4} {...rest} className={classNames(control, 'py-2', className)} />;
}

/** The native select, which works best on phones. It indents its text by 4 px itself. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return <select {...rest} className={classNames(control, 'h-9 pr-8 pl-2', className)} />;
}

/** The native checkbox is a gray block on dark pages. */
const checkbox =
  'grid appearance-none place-items-center rounded border border-line-strong bg-surface checked:border-accent-solid checked:bg-accent-solid before:size-2.5 before:scale-0 before:bg-white checked:before:scale-100 before:[clip-path:polygon(14%_44%,0_65%,50%_100%,100%_16%,80%_0,43%_62%)] aria-invalid:border-bad disabled:opacity-60 forced-colors:appearance-auto';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'type'> & { readonly label: ReactNode };

export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  return (
    <label className={classNames('flex min-h-6 items-start gap-2.5 text-base', className)}>
      <input type="checkbox" {...rest} className={classNames(checkbox, 'mt-0.5 size-4.5 shrink-0')} />
      <span>{label}</span>
    </label>
  );
}
