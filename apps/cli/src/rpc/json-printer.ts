/** Prints JSON while it arrives: unchanged bytes for programs; on a terminal indented and without control sequences, string results without quotes. */

import type { Output } from '../output/output.ts';
import { plainJson, plainLines } from '../output/plain-text.ts';

export type JsonPrinter = {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Ends the line. */
  readonly end: () => Promise<void>;
};

/** In characters. A string result up to this length is buffered and printed without quotes; a longer one is printed with them. */
const maxTextLength = 16 * 1_048_576;

/** `isResult`: a string result is printed without its quotes, so that `$(…)` of a shell receives the plain value. */
export function createJsonPrinter(output: Output, isResult: boolean): JsonPrinter {
  const decoder = new TextDecoder();
  const indented = createIndenter();
  let buffered: string | undefined = isResult ? '' : undefined;
  let isText: boolean | undefined;

  const show = (text: string) =>
    text === '' ? Promise.resolve() : output.raw(output.isTerminal ? plainJson(indented(text)) : text);

  return {
    async write(bytes) {
      if (buffered === undefined && !output.isTerminal) return output.raw(bytes);
      const text = decoder.decode(bytes, { stream: true });
      if (buffered === undefined) return show(text);
      buffered += text;
      // Decided once: looking at the beginning of a text that grows would copy all of it for each chunk.
      isText ??= startsText(buffered);
      if (isText !== false && buffered.length <= maxTextLength) return;
      const begun = buffered.trimStart();
      buffered = undefined;
      await show(begun);
    },
    async end() {
      const rest = (buffered ?? '') + decoder.decode();
      const text = buffered === undefined ? undefined : parsedText(rest.trim());
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

/** Indents two spaces per level, up to `deepest` levels, and removes the input's own whitespace. */
function createIndenter(): (text: string) => string {
  const deepest = 40;
  let level = 0;
  let isInString = false;
  let isEscaped = false;
  /** The last token was an opening bracket: `{}` stays on its line. */
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
