/** Code to read and to copy. Long lines are scrolled inside. */
import { CopyButton } from './copy-button.tsx';

export type CodeBlockProps = { readonly code: string; readonly what: string; readonly maxHeight?: string };

export function CodeBlock({ code, what, maxHeight }: CodeBlockProps) {
  return (
    <div className="group relative rounded-lg border border-line bg-raised">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0} className={`overflow-auto p-4 pr-12 leading-relaxed ${maxHeight ?? 'max-h-96'}`}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} className="absolute top-2 right-2 size-8! bg-raised" />
    </div>
  );
}
