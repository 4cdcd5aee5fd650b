/** The users of the development provider. */

export type DevelopmentUser = {
  /** The token's `sub`. */
  readonly id: string;
  readonly name: string;
  /** The token's `roles`; `admin` opens Flowgate's admin routes (contract/tokens#claims). */
  readonly roles: readonly string[];
};

export const developmentUsers: readonly DevelopmentUser[] = [
  { id: 'alice', name: 'Alice', roles: [] },
  { id: 'admin', name: 'Admin', roles: ['admin'] },
];
