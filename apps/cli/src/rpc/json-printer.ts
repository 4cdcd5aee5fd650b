/** Prints JSON as it arrives: for programs the bytes as they are; for a person indented and harmless, a text without its quotes. */

import type { Output } from '../output/output.ts';
import { plainJson, plainLines } from '../output/plain-text.ts';

export type JsonPrinter = {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Ends the line. */
  readonly end: () => Promise<void>;
};

/** A text that is a result on its own is kept whole before it is shown; larger ones stay in their quotes. */
const maxTextLength = 16 * 1_048_576;

/** `isResult`: a result that is a text is printed without its quotes, as `$(…)` of a shell wants it. */
export function createJsonPrinter(output: Output, isResult: boolean): JsonPrinter {
  const decoder = new TextDecoder();
  const indented = createIndenter();
  let kept: string | undefined = isResult ? '' : undefined;
  let isText: boolean | undefined;

  const show = (text: string) =>
    text === '' ? Promise.resolve() : output.raw(output.isTerminal ? plainJson(indented(text)) : text);

  return {
    async write(bytes) {
      if (kept === undefined && !output.isTerminal) return output.raw(bytes);
      const text = decoder.decode(bytes, { stream: true });
      if (kept === undefined) return show(text);
      kept += text;
      // Decided once: looking at the beginning of a text that grows would copy all of it for each chunk.
      isText ??= startsText(kept);
      if (isText !== false && kept.length <= maxTextLength) return;
      const begun = kept.trimStart();
      kept = undefined;
      await show(begun);
    },
    async end() {
      const rest = (kept ?? '') + decoder.decode();
      const text = kept === undefined ? undefined : parsedText(rest.trim());
      if (text === undefined) await show(rest.trimEnd());
      else await output.raw(output.isTerminal ? plainLines(text) : text);
      await output.raw('\n');
    },
  };
}

/** Undefined while there is only white space. */
function startsText(json: string): boolean | undefined {
  const first = /\S/.exec(json)?.[0];
  return first === undefined ? undefined : first === '"';
}

function parsedText(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Two blanks a level; blanks of the text's own between its tokens are left out. Beyond `deepest` levels nothing is added. */
function createIndenter(): (text: string) => string {
  const deepest = 40;
  let level = 0;
  let isInString = false;
  let isEscaped = false;
  /** An opening bracket was the last token: `{}` stays on its line. */
  let isOpen = false;
  const line = () => `\n${'  '.repeat(Math.min(level, deepest))}`;

  return (text) => {
    let shown = '';
    for (const character of text) {
      if (isInString) {
        if (isEscaped) isEscaped = false;
        else if (character === '\\') isEscaped = true;
        else if (character === '"') isInString = false;
        shown += character;
        continue;
      }
      if (/[\s]/.test(character)) continue;
      const isClosing = character === '}' || character === ']';
      if (isOpen && !isClosing) shown += line();
      if (isClosing) {
        level = Math.max(0, level - 1);
        if (!isOpen) shown += line();
      }
      isOpen = character === '{' || character === '[';
      if (isOpen) level += 1;
      isInString = character === '"';
      shown += character;
      if (character === ',') shown += line();
      if (character === ':') shown += ' ';
    }
    return shown;
  };
}
