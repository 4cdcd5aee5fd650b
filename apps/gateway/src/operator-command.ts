/** The commands of an operator, which the command line parses and the gateway's package runs (docs/decisions/0151). */

export type OperatorCommand =
  | { readonly kind: 'start' | 'healthcheck'; readonly configFile: string }
  /** `online`: the networks of bridges and pools are asked, too. */
  | { readonly kind: 'check-config'; readonly configFile: string; readonly json: boolean; readonly online: boolean }
  | { readonly kind: 'verify-audit'; readonly configFile: string; readonly json: boolean }
  | { readonly kind: 'migrate-data'; readonly from: string; readonly to: string; readonly json: boolean }
  | {
      readonly kind: 'reindex';
      readonly configFile: string;
      /** A bridge, or `swaps/DLT/NETWORKID`. */
      readonly target: string;
      readonly from: number;
      readonly chain: 'l1' | 'l2' | undefined;
      readonly json: boolean;
    };
