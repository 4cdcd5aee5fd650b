/** Toasts. They disappear after a timeout, which pauses on hover and focus. */
import { Toast as Primitive } from 'radix-ui';
import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { CopyButton } from './copy-button.tsx';

export type ToastMessage = {
  readonly title: string;
  readonly text?: string;
  readonly tone?: 'good' | 'bad';
  /** For the operator's search in the logs. */
  readonly requestId?: string | undefined;
};

type ShownToast = ToastMessage & { readonly id: number };

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});
export const useToast = () => use(ToastContext);

const maxShown = 4;
let lastId = 0;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const show = useCallback((message: ToastMessage) => {
    lastId += 1;
    const id = lastId;
    setShown((before) => [...before.slice(1 - maxShown), { ...message, id }]);
  }, []);
  return (
    <ToastContext value={show}>
      <Primitive.Provider duration={7_000} label="Notification">
        {children}
        {shown.map(({ id, title, text, tone, requestId }) => (
          <Primitive.Root
            key={id}
            onOpenChange={(open) => {
              if (!open) setShown((before) => before.filter((each) => each.id !== id));
            }}
            className={`rounded-lg border border-line border-l-4 bg-surface px-4 py-3 shadow-float ${tone === 'bad' ? 'border-l-bad' : 'border-l-good'}`}
          >
            <Primitive.Title className="text-sm font-semibold">{title}</Primitive.Title>
            {text !== undefined && (
              <Primitive.Description className="mt-0.5 text-sm break-words text-soft">{text}</Primitive.Description>
            )}
            {requestId !== undefined && (
              <p className="mt-1 flex items-center gap-1 text-xs text-faint">
                <span className="truncate">Request ID {requestId}</span>
                <CopyButton text={requestId} what="request ID" />
              </p>
            )}
          </Primitive.Root>
        ))}
        <Primitive.Viewport className="fixed right-4 bottom-4 z-60 flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 outline-none" />
      </Primitive.Provider>
    </ToastContext>
  );
}
