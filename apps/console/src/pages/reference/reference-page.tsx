/** The gateway's API reference in a frame, with the console's color scheme. */
import { useEffect, useRef } from 'react';
import { fontFile } from '../../frame/load-font.ts';

/** The reference's content security policy forbids loading fonts, so it receives the bytes. On failure the system font remains. */
async function shareFont(inside: Document | null | undefined): Promise<void> {
  // A `FontFace` belongs to the window that created it.
  const view: (Window & typeof globalThis) | null | undefined = inside?.defaultView;
  if (inside == null || view == null) return;
  const response = await fetch(fontFile).catch(() => undefined);
  if (response?.ok !== true) return;
  const font = new view.FontFace('Inter', await response.arrayBuffer(), { weight: '100 900' });
  inside.fonts.add(await font.load());
}

export function ReferencePage() {
  const frame = useRef<HTMLIFrameElement>(null);
  const followScheme = () => {
    const inside = frame.current?.contentDocument?.documentElement;
    const { scheme } = document.documentElement.dataset;
    if (inside === undefined) return;
    if (scheme === undefined) delete inside.dataset['scheme'];
    else inside.dataset['scheme'] = scheme;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the frame of this render
  useEffect(() => {
    const observer = new MutationObserver(followScheme);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] });
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <h1 className="sr-only">Reference</h1>
      <iframe
        ref={frame}
        onLoad={() => {
          followScheme();
          void shareFont(frame.current?.contentDocument);
        }}
        src="/reference"
        title="Reference of every route"
        className="fixed inset-x-0 top-14 bottom-0 h-[calc(100dvh-3.5rem)] w-full max-w-none! lg:inset-y-0 lg:left-60 lg:h-dvh lg:w-[calc(100%-15rem)]"
      />
    </>
  );
}
