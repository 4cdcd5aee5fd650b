/** The rate limit and its remaining calls. */
import { Stat } from '../../components/card.tsx';
import { useRateLimit } from '../../gateway/gateway-context.tsx';
import { useMe } from '../../gateway/use-me.ts';

const whole = new Intl.NumberFormat('en');

export function LimitCard() {
  const limit = useRateLimit();
  const me = useMe();
  const used = limit === undefined ? undefined : limit.limit - limit.remaining;
  return (
    <div className="grid grid-cols-3 gap-2 sm:gap-4">
      <Stat
        label="Remaining this minute"
        value={limit === undefined ? '–' : whole.format(limit.remaining)}
        note={
          limit !== undefined && (
            <>
              <meter aria-label="Limit used" min={0} max={limit.limit} value={used} className="sr-only" />
              <span aria-hidden="true" className="mt-2 block h-1.5 overflow-hidden rounded-full bg-raised">
                <span className="block h-full bg-accent" style={{ width: `${(100 * (used ?? 0)) / limit.limit}%` }} />
              </span>
            </>
          )
        }
      />
      <Stat
        label="Limit per minute"
        value={limit === undefined ? '–' : whole.format(limit.limit)}
        note="All keys and sign-ins"
      />
      <Stat
        label="Signed in as"
        value={me.data?.userId ?? '–'}
        note={me.data?.isAdmin === true ? 'Administrator' : 'User'}
      />
    </div>
  );
}
