/** Maps each problem of a 400 response to a member; the first word names the member. */
import { FlowgateError } from '@flowgate/client';

export type MemberProblems = {
  readonly at: Readonly<Record<string, string>>;
  /** True when a problem belongs to no field. */
  readonly loose: boolean;
};

export function memberProblems(error: unknown, members: readonly string[]): MemberProblems {
  const at: Record<string, string> = {};
  let loose = false;
  if (!(error instanceof FlowgateError) || error.status !== 400) return { at, loose };
  for (const { message } of error.errors ?? []) {
    const [, name = '', place = '', rest = ''] = /^([A-Za-z]+)(\S*) (.*)$/s.exec(message) ?? [];
    if (members.includes(name)) {
      const said = place === '' ? `This ${rest}.` : `${name}${place} ${rest}.`;
      at[name] = at[name] === undefined ? said : `${at[name]} ${said}`;
    } else loose = true;
  }
  return { at, loose };
}
