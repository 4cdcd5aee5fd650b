/** The gateway's own reference, inside the frame. */
export function ReferencePage() {
  return (
    <iframe
      src="/reference"
      title="Reference of every route"
      className="-mx-4 -my-6 block h-[calc(100dvh-3.5rem)] w-[calc(100%+2rem)] max-w-none! sm:-mx-8 sm:-my-8 sm:w-[calc(100%+4rem)] lg:h-dvh"
    />
  );
}
