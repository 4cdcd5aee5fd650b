export interface TestReport {
  readonly tests: number;
  readonly failed: number;
  readonly skipped: number;
  /** `FILE: DESCRIBE > TEST` and, indented below it, its message. */
  readonly failures: readonly string[];
}
export function readTestReport(path: string): TestReport | undefined;
