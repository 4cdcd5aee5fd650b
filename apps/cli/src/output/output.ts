/** The output of a command: on standard output text, or one JSON document for programs; hints and problems on standard error. */

import type { Sink } from '../runtime.ts';
import { plainJson, plainLines } from './plain-text.ts';
import { type Column, tableLines } from './table.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export type Output = {
  /** `--json`: read when the action runs. */
  readonly isJson: () => boolean;
  /** The command's one JSON document for programs. In text mode `people` writes the output instead. */
  readonly answer: (document: unknown, people: () => Promise<void>) => Promise<void>;
  /** Lines on standard output for text mode. Control characters are removed; `style` adds colors where they are enabled. */
  readonly say: (text: string, style?: Style) => Promise<void>;
  readonly table: <Row>(rows: readonly Row[], columns: readonly Column<Row>[], empty: string) => Promise<void>;
  /** Lines on standard error, also with `--json`: hints, progress, warnings. */
  readonly note: (text: string, style?: Style) => Promise<void>;
  /** Unchanged bytes on standard output. The caller removes control sequences when `isTerminal`. */
  readonly raw: (bytes: string | Uint8Array) => Promise<void>;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
};

export type OutputSettings = {
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly isJson: () => boolean;
  /** `--no-color` was given. */
  readonly isPlain: () => boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

const codes: Readonly<Record<Style, string>> = {
  bold: '1',
  dim: '2',
  red: '31',
  green: '32',
  yellow: '33',
  cyan: '36',
};

export function createOutput({ stdout, stderr, isJson, isPlain, environment }: OutputSettings): Output {
  // no-color.org: any value but the empty one.
  const isColourless = () => isPlain() || (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  const write = (sink: Sink, text: string, style: Style | undefined) => {
    const shown = plainLines(text);
    const isStyled = style !== undefined && sink.isTerminal && !isColourless() && shown !== '';
    return sink.write(isStyled ? `\u001b[${codes[style]}m${shown}\u001b[0m\n` : `${shown}\n`);
  };
  const say: Output['say'] = (text, style) => write(stdout, text, style);
  return {
    isJson,
    say,
    note: (text, style) => write(stderr, text, style),
    raw: (bytes) => stdout.write(bytes),
    isTerminal: stdout.isTerminal,
    columns: stdout.columns,
    answer: (document, people) =>
      isJson()
        ? stdout.write(`${plainJson(JSON.stringify(document, undefined, stdout.isTerminal ? 2 : 0))}\n`)
        : people(),
    async table(rows, columns, empty) {
      if (rows.length === 0) return say(empty, 'dim');
      const [titles = '', ...lines] = tableLines(rows, columns, stdout.columns);
      await say(titles, 'bold');
      await say(lines.join('\n'));
    },
  };
}
