/** Shows the playground's key, with actions to remove or revoke it. */

import { Button } from '../../components/button.tsx';
import { KeyRound } from '../../components/icons.tsx';
import { Menu } from '../../components/menu.tsx';
import { type ConsoleKey, consoleKey, giveUpConsoleKey } from '../../gateway/console-key.ts';
import { useGateway } from '../../gateway/gateway-context.tsx';
import { useAction } from '../../gateway/use-action.ts';

export type KeyMenuProps = { readonly currentKey: ConsoleKey | undefined; readonly onAsk: () => void };

export function KeyMenu({ currentKey, onAsk }: KeyMenuProps) {
  const client = useGateway();
  const giveUp = useAction({
    run: (_: undefined) => giveUpConsoleKey(client),
    changes: [['api-keys']],
    done: () => 'Playground key revoked',
  });
  const icon = <KeyRound aria-hidden="true" className="size-4" />;
  if (currentKey === undefined)
    return (
      <Button onClick={onAsk}>
        {icon}
        Choose key
      </Button>
    );
  // This prefix identifies the key and is not secret.
  const name = currentKey.apiKey.slice(0, 11);
  return (
    <Menu
      trigger={
        <Button>
          {icon}
          <code>{name}…</code>
          <span className="sr-only">, playground key</span>
        </Button>
      }
      items={[
        currentKey.keyId === undefined
          ? { label: 'Remove key from this tab', onSelect: () => consoleKey.keep(undefined) }
          : { label: 'Revoke key', danger: true, onSelect: () => giveUp.run(undefined) },
      ]}
    />
  );
}
