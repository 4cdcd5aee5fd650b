/** Code with a copy button. Long lines scroll inside the block. */
import { CopyButton } from './copy-button.tsx';

export type CodeBlockProps = { readonly code: string; readonly what: string; readonly maxHeight?: string };

export function CodeBlock({ code, what, maxHeight }: CodeBlockProps) {
  return (
    <div className="overflow-clip rounded-lg border border-line bg-raised">
      {/* Next to the code instead of over it. */}
      <div className="flex justify-end border-b border-line px-1 py-0.5">
        <CopyButton text={code} what={what} />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className={`overflow-auto p-4 leading-relaxed focus-visible:-outline-offset-2 ${maxHeight ?? 'max-h-96'}`}
      >
        <code>{code}</code>
      </pre>
    </div>
  );
}
