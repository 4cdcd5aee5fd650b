/** Reads every text that a Flow App sends to people and agents, and finds the first that none of them should see (decisions 8, the filter). */

import { isJsonObject, member } from '../../access/json-object.ts';
import { type ContentFilterSettings, contentFilterRules, type Finds } from './content-filter-rules.ts';
import { readText } from './content-filter-text.ts';

/** `pointer` is RFC 6901, into the app's answer. */
export type ContentFilterDenial = { readonly ruleId: string; readonly pointer: string };

/** `answer` is JSON, checked or not. Never throws, whatever its depth; takes time in proportion to its size. */
export type ContentFilter = (answer: unknown) => ContentFilterDenial | undefined;

/** A value and where it stands. */
type Place = { readonly value: unknown; readonly name: string; readonly within: Place | undefined };

type Rule = { readonly ruleId: string; readonly finds: Finds };

/** What reaches people and agents; `state` and app data stay behind the gateway. */
const read = ['step', 'errors', 'events'];

/** Throws for settings that `contentFilterProblems` has something to say about. */
export function createContentFilter(settings: ContentFilterSettings): ContentFilter {
  const rules = contentFilterRules(settings);
  return (answer) => {
    // Names repeat a thousand times in one answer, and most of them are the gateway's own.
    const known = new Map<string, string | undefined>();
    const verdict = (text: string): string | undefined => {
      if (text.length > 64) return ruleAgainst(text, rules);
      if (!known.has(text)) known.set(text, ruleAgainst(text, rules));
      return known.get(text);
    };
    return isJsonObject(answer) ? firstDenial(answer, verdict) : undefined;
  };
}

function ruleAgainst(text: string, rules: readonly Rule[]): string | undefined {
  const reading = readText(text);
  return rules.find(({ finds }) => finds(reading))?.ruleId;
}

/** In the answer's own order. Not recursive: nothing is known of its depth. */
function firstDenial(
  answer: Readonly<Record<string, unknown>>,
  verdict: (text: string) => string | undefined,
): ContentFilterDenial | undefined {
  const open: Place[] = read.map((name) => ({ value: member(answer, name), name, within: undefined })).reverse();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    if (typeof value === 'string') {
      const ruleId = verdict(value);
      if (ruleId !== undefined) return { ruleId, pointer: pointerTo(place) };
    } else if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at--) open.push({ value: value[at], name: String(at), within: place });
    } else if (isJsonObject(value)) {
      const names = Object.keys(value);
      for (const name of names) {
        const ruleId = verdict(name);
        // The pointer of the object that has the name: it would hold the very text that nobody is to see.
        if (ruleId !== undefined) return { ruleId, pointer: pointerTo(place) };
      }
      for (const name of names.reverse()) open.push({ value: member(value, name), name, within: place });
    }
  }
  return undefined;
}

/** Longer than any client wants in a sentence: then the pointer ends at the last member that fits. */
const maxPointerLength = 500;

function pointerTo(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at !== undefined; at = at.within) names.push(at.name);
  let pointer = '';
  for (const name of names.reverse()) {
    const longer = `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (longer.length > maxPointerLength) break;
    pointer = longer;
  }
  return pointer;
}
