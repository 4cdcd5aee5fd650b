export interface TestReport {
  readonly tests: number;
  readonly failed: number;
  readonly skipped: number;
  /** `FILE: DESCRIBE > TEST` and, indented below it, its message. */
  readonly failures: readonly string[];
  /** Each test file once, with the time from its start to its end. */
  readonly files: readonly { readonly file: string; readonly seconds: number }[];
}
export function readTestReport(path: string): TestReport | undefined;
export function createAttemptReader(): {
  /** A line for each test that passed at a later attempt. */
  readonly found: readonly string[];
  read(text: string): void;
};
