/** The gateway's own reference, inside the frame, in the color scheme of the console. */
import { useEffect, useRef } from 'react';

export function ReferencePage() {
  const frame = useRef<HTMLIFrameElement>(null);
  const followScheme = () => {
    const inside = frame.current?.contentDocument?.documentElement;
    const { scheme } = document.documentElement.dataset;
    if (inside === undefined) return;
    if (scheme === undefined) delete inside.dataset['scheme'];
    else inside.dataset['scheme'] = scheme;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads the frame of this rendering
  useEffect(() => {
    const observer = new MutationObserver(followScheme);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] });
    return () => observer.disconnect();
  }, []);
  return (
    <iframe
      ref={frame}
      onLoad={followScheme}
      src="/reference"
      title="Reference of every route"
      className="fixed inset-x-0 top-14 bottom-0 h-[calc(100dvh-3.5rem)] w-full max-w-none! lg:inset-y-0 lg:left-60 lg:h-dvh lg:w-[calc(100%-15rem)]"
    />
  );
}
