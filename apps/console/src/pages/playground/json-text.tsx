/** A JSON value as text, in pieces: laying out megabytes at once would freeze the browser. */

import { useMemo, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Download } from '../../components/icons.tsx';
import { wholeNumber } from '../../format/whole-number.ts';
import { writtenJson } from './exact-json.ts';

const pieceLength = 50_000;

export function JsonText({ value, name }: { readonly value: unknown; readonly name: string }) {
  const text = useMemo(() => writtenJson(value), [value]);
  const [shown, setShown] = useState(pieceLength);
  return (
    <div>
      <div className="mb-2 flex flex-wrap gap-2">
        <CopyButton text={text} what="response" label="Copy all" tone="secondary" />
        <Button size="sm" onClick={() => download(text, `${name}.json`)}>
          <Download aria-hidden="true" className="size-4" />
          Download
        </Button>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
        tabIndex={0}
        className="max-h-[36rem] overflow-auto rounded-lg border border-line bg-raised p-4 break-all whitespace-pre-wrap"
      >
        {text.slice(0, shown)}
      </pre>
      {text.length > shown && (
        <Button size="sm" className="mt-2" onClick={() => setShown(shown + pieceLength)}>
          Show more ({wholeNumber(text.length - shown)} characters left)
        </Button>
      )}
    </div>
  );
}

function download(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
