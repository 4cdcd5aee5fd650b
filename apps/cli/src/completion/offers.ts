/** Values that completion offers for a command's arguments and options; declared next to the command. */

import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

export type Offered = { readonly value: string; readonly description?: string };

/** Called while a user waits for completion. An error counts as no values. */
export type OfferSource = (cli: Cli) => readonly Offered[] | Promise<readonly Offered[]>;

const sources = new WeakMap<Command, ReadonlyMap<string, OfferSource>>();

/** Keyed by the name of an argument (`keyId`) or an option (`--network`). */
export function offer(command: Command, offered: Readonly<Record<string, OfferSource>>): void {
  sources.set(command, new Map([...(sources.get(command) ?? []), ...Object.entries(offered)]));
}

export function offeredBy(command: Command, slot: string): OfferSource | undefined {
  return sources.get(command)?.get(slot);
}
