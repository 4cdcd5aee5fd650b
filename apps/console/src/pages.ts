/** All pages of the console. Navigation, routes, command palette and shortcuts are derived from this table. */

import { type ComponentType, lazy } from 'react';
import {
  ArrowDownToLine,
  ArrowUpFromLine,
  BookOpen,
  Coins,
  FileCode2,
  Gauge,
  History,
  type Icon,
  KeyRound,
  Network,
  ShieldCheck,
  SlidersHorizontal,
  SquareTerminal,
  WalletCards,
  Workflow,
} from './components/icons.tsx';
import { fileLoader } from './frame/page-files.ts';
import type { Surface } from './gateway/use-surfaces.ts';

export type PageRow = {
  /** Path below `/console`. Deeper segments belong to the page, which reads them with `useRoute`. */
  readonly path: string;
  readonly title: string;
  readonly group: 'Start' | 'Build' | 'Chains' | 'Control';
  readonly icon: Icon;
  /** Pressed after `g`. */
  readonly shortcut: string;
  readonly adminsOnly?: boolean;
  /** Without this feature the page is not in the menu; its URL shows what to configure. */
  readonly needs?: Surface;
  readonly page: ComponentType;
};

const pageOf = (load: () => Promise<ComponentType>) =>
  lazy(fileLoader(async () => ({ default: await load() }), { isPage: true }));

export const pages: readonly PageRow[] = [
  {
    ...{ path: '/', title: 'Overview', group: 'Start', icon: Gauge, shortcut: 'o' },
    page: pageOf(async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage),
  },
  {
    ...{ path: '/keys', title: 'API keys', group: 'Build', icon: KeyRound, shortcut: 'k' },
    page: pageOf(async () => (await import('./pages/keys/keys-page.tsx')).KeysPage),
  },
  {
    ...{ path: '/playground', title: 'Playground', group: 'Build', icon: SquareTerminal, shortcut: 'p' },
    page: pageOf(async () => (await import('./pages/playground/playground-page.tsx')).PlaygroundPage),
  },
  {
    ...{ path: '/networks', title: 'Networks and nodes', group: 'Build', icon: Network, shortcut: 'n' },
    page: pageOf(async () => (await import('./pages/networks/networks-page.tsx')).NetworksPage),
  },
  {
    ...{ path: '/apps', title: 'Flow Apps', group: 'Build', icon: Workflow, shortcut: 'l' },
    page: pageOf(async () => (await import('./pages/flow/flow-page.tsx')).FlowPage),
  },
  {
    ...{ path: '/reference', title: 'Reference', group: 'Build', icon: BookOpen, shortcut: 'r' },
    page: pageOf(async () => (await import('./pages/reference/reference-page.tsx')).ReferencePage),
  },
  {
    ...{ path: '/firewall', title: 'Firewall', group: 'Control', icon: ShieldCheck, shortcut: 'f' },
    page: pageOf(async () => (await import('./pages/firewall/firewall-page.tsx')).FirewallPage),
  },
  {
    ...{ path: '/admin', title: 'Administration', group: 'Control', icon: SlidersHorizontal, shortcut: 'a' },
    adminsOnly: true,
    page: pageOf(async () => (await import('./pages/administration/administration-page.tsx')).AdministrationPage),
  },
  {
    ...{ path: '/wallets', title: 'Wallets', group: 'Chains', icon: WalletCards, shortcut: 'w' },
    page: pageOf(async () => (await import('./pages/wallets/wallets-page.tsx')).WalletsPage),
  },
  {
    ...{ path: '/contracts', title: 'Contracts', group: 'Chains', icon: FileCode2, shortcut: 'c' },
    page: pageOf(async () => (await import('./pages/contracts/contracts-page.tsx')).ContractsPage),
  },
  {
    ...{ path: '/stakes', title: 'Stakes', group: 'Chains', icon: Coins, shortcut: 's' },
    needs: 'staking',
    page: pageOf(async () => (await import('./pages/stakes/stakes-page.tsx')).StakesPage),
  },
  {
    ...{ path: '/deposits', title: 'Deposits', group: 'Chains', icon: ArrowDownToLine, shortcut: 'd' },
    needs: 'bridges',
    page: pageOf(async () => (await import('./pages/bridge/deposits-page.tsx')).DepositsPage),
  },
  {
    ...{ path: '/withdrawals', title: 'Withdrawals', group: 'Chains', icon: ArrowUpFromLine, shortcut: 'u' },
    needs: 'bridges',
    page: pageOf(async () => (await import('./pages/bridge/withdrawals-page.tsx')).WithdrawalsPage),
  },
  {
    ...{ path: '/history', title: 'History', group: 'Chains', icon: History, shortcut: 'h' },
    page: pageOf(async () => (await import('./pages/history/history-page.tsx')).HistoryPage),
  },
];

export const groups = ['Start', 'Build', 'Chains', 'Control'] as const;
