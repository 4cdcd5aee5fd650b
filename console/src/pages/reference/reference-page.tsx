/** The gateway's own reference, inside the frame. */
export function ReferencePage() {
  return (
    <iframe
      src="/reference"
      title="Reference of every route"
      className="fixed inset-x-0 top-14 bottom-0 h-[calc(100dvh-3.5rem)] w-full max-w-none! lg:inset-y-0 lg:left-60 lg:h-dvh lg:w-[calc(100%-15rem)]"
    />
  );
}
