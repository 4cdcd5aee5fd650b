/** The native `dialog`: it traps the focus, closes with Escape and needs no style element, which the content security policy forbids. */

import { type ReactNode, useId } from 'react';
import { Button, type ButtonTone } from './button.tsx';
import { classNames } from './class-names.ts';
import { X } from './icons.tsx';
import { useModal } from './use-modal.ts';

export type DialogProps = {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly onClose: () => void;
  readonly wide?: boolean;
  /** No close button, and Escape does nothing. */
  readonly mustAnswer?: boolean;
  readonly children: ReactNode;
};

/** Open while it is rendered. */
export function Dialog({ title, lead, onClose, wide = false, mustAnswer = false, children }: DialogProps) {
  const ref = useModal();
  const titleId = useId();
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Ignore bubbled events, such as a file input's cancel.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!mustAnswer) onClose();
      }}
      className={classNames(
        'm-auto w-[calc(100vw-2rem)] rounded-xl border border-line bg-surface p-0 text-ink shadow-float',
        wide ? 'max-w-3xl' : 'max-w-lg',
      )}
    >
      <div className="flex items-start gap-4 px-6 pt-5 pb-4">
        <div className="min-w-0 flex-1">
          <h2 id={titleId} className="text-lg font-semibold break-words">
            {title}
          </h2>
          {lead !== undefined && <p className="mt-1 text-sm text-soft">{lead}</p>}
        </div>
        {!mustAnswer && (
          <Button tone="quiet" size="icon" aria-label="Close" className="-mt-1 -mr-2" onClick={onClose}>
            <X aria-hidden="true" className="size-4.5" />
          </Button>
        )}
      </div>
      <div className="px-6 pb-6">{children}</div>
    </dialog>
  );
}

export type ConfirmProps = {
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
  readonly tone?: ButtonTone;
  readonly busy?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Confirms a permanent action. */
export function Confirm({ title, children, action, tone = 'danger', busy = false, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="text-soft">{children}</div>
      <DialogButtons>
        <Button onClick={onClose}>Cancel</Button>
        <Button tone={tone} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

export function DialogButtons({ children }: { readonly children: ReactNode }) {
  return (
    <div data-dialog-buttons className="mt-6 flex flex-wrap justify-end gap-2">
      {children}
    </div>
  );
}
