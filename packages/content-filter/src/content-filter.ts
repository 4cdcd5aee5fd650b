/** Checks every text that a Flow App sends to people and agents: finds the first one to refuse, and those that need a warning (contract/flow-apps#content-filter). */

import { isJsonObject, member } from '@flowgate/json/json-object';
import { contentFilterRules, type Rule } from './content-filter-rules.ts';
import type { ContentFilterOptions } from './content-filter-settings.ts';
import { readText } from './content-filter-text.ts';
import { isWithin, type LinkedHosts, linkedHosts, noHosts } from './linked-hosts.ts';
import { stepDenial } from './step-denial.ts';

/** `pointer` is a JSON pointer (RFC 6901) into the app response. */
export type ContentFilterDenial = { readonly ruleId: string; readonly pointer: string };

/** A text of the step that passes with a warning; `pointer` leads into the app response, too. */
export type ContentFilterWarning = ContentFilterDenial & { readonly message: string };

export type ContentFilterVerdict = {
  readonly denial?: ContentFilterDenial;
  /** Only about the step; empty if there is a denial. */
  readonly warnings: readonly ContentFilterWarning[];
};

/**
 * `response` is JSON, validated or not. `linkDomains`: the domains to which its texts may link, in addition to those of the configuration; if absent, links are not checked by
 * their host. Never throws, at any depth. Takes linear time.
 */
export type ContentFilter = (response: unknown, linkDomains?: readonly string[]) => ContentFilterVerdict;

/** Depends on the app, and so is not part of the cached findings of a text. */
const foreignLinksRule = 'foreign-links';

/** A value and its position. */
type Place = { readonly value: unknown; readonly name: string; readonly within: Place | undefined };

/** `hosts`: the hosts that the text links to; empty if it is refused anyway. */
type Findings = {
  readonly refusedBy: string | undefined;
  readonly flaggedBy: readonly Rule[];
  readonly hosts: LinkedHosts;
};

/** The members that reach people and agents. `state` and app data do not leave the gateway. */
const read = ['step', 'errors', 'events'];

/** Maximum number of texts that one generation of the cache has, and maximum characters of each: at most 1 MiB together. */
const maxRemembered = 2_048;
const maxRememberedLength = 256;

/** Maximum number of warnings of one response; more would not help a reader. */
const maxWarnings = 20;

/** Throws for settings in which `contentFilterProblems` finds problems. */
export function createContentFilter(options: ContentFilterOptions): ContentFilter {
  const rules = contentFilterRules(options);
  const findings = remembering((text) => findingsOf(text, rules));
  const foreignLinks = rules.find(({ ruleId }) => ruleId === foreignLinksRule);
  const evaluate = (text: string, place: Place, linkDomains: readonly string[] | undefined): Findings => {
    const found = findings(text);
    const { links, mail } = found.hosts;
    if (linkDomains === undefined || foreignLinks === undefined || links.length + mail.length === 0) return found;
    const domains = [...linkDomains, ...(options.linkDomains ?? [])];
    const isForeign = (host: string) => !isWithin(host, domains);
    if (links.some(isForeign) && !isValueOfField(place) && foreignLinks.finds(readText(text)) === 'refuse')
      return { ...found, refusedBy: foreignLinks.ruleId };
    return [...links, ...mail].some(isForeign) && !isValueOfField(place)
      ? { ...found, flaggedBy: [...found.flaggedBy, foreignLinks] }
      : found;
  };
  return (response, linkDomains) => {
    if (!isJsonObject(response)) return { warnings: [] };
    const verdict = readAll(response, (text, place) => evaluate(text, place, linkDomains));
    if (verdict.denial !== undefined) return verdict;
    const denial = stepDenial(member(response, 'step'), rules);
    return denial === undefined ? verdict : { denial, warnings: [] };
  };
}

/**
 * A cache of findings for short texts, because names repeat thousands of times in one response and an app's steps resemble each other. It has two generations: when the younger
 * one is full, the older one is dropped. A finding depends only on the text, so entries never become stale.
 */
function remembering(findings: (text: string) => Findings): (text: string) => Findings {
  let young = new Map<string, Findings>();
  let old = new Map<string, Findings>();
  return (text) => {
    if (text.length > maxRememberedLength) return findings(text);
    const known = young.get(text);
    if (known !== undefined) return known;
    const found = old.get(text) ?? findings(text);
    if (young.size === maxRemembered) {
      old = young;
      young = new Map();
    }
    young.set(text, found);
    return found;
  };
}

/** Creates the tables that the first text would otherwise create, which takes a tenth of a second of a core. */
export function createTables(filter: ContentFilter): void {
  filter({ step: { title: 'Step, шаг' } });
}

function findingsOf(text: string, rules: readonly Rule[]): Findings {
  const reading = readText(text);
  const flaggedBy: Rule[] = [];
  let hosts = noHosts;
  for (const rule of rules) {
    if (rule.ruleId === foreignLinksRule) {
      hosts = linkedHosts(reading.normal);
      continue;
    }
    const finding = rule.finds(reading);
    if (finding === 'refuse') return { refusedBy: rule.ruleId, flaggedBy: [], hosts: noHosts };
    if (finding === 'flag') flaggedBy.push(rule);
  }
  return { refusedBy: undefined, flaggedBy, hosts };
}

/** In the order of the response. Not recursive, because its depth is unknown. */
function readAll(
  response: Readonly<Record<string, unknown>>,
  evaluate: (text: string, place: Place) => Findings,
): ContentFilterVerdict {
  const warnings: ContentFilterWarning[] = [];
  const denialAt = (text: string, place: Place): ContentFilterDenial | undefined => {
    const { refusedBy, flaggedBy } = evaluate(text, place);
    if (refusedBy !== undefined) return { ruleId: refusedBy, pointer: pointerTo(place) };
    for (const { ruleId, warning } of flaggedBy) {
      if (warnings.length >= maxWarnings) break;
      const pointer = pointerTo(place);
      if (pointer === '/step' || pointer.startsWith('/step/')) warnings.push({ ruleId, pointer, message: warning });
    }
    return undefined;
  };
  const open: Place[] = read.map((name) => ({ value: member(response, name), name, within: undefined })).reverse();
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value } = place;
    if (typeof value === 'string') {
      const denial = denialAt(value, place);
      if (denial !== undefined) return { denial, warnings: [] };
    } else if (Array.isArray(value)) {
      for (let at = value.length - 1; at >= 0; at--) open.push({ value: value[at], name: String(at), within: place });
    } else if (isJsonObject(value)) {
      const names = Object.keys(value);
      for (const name of names) {
        // The pointer of the object, since a pointer to the member would contain the refused text.
        const denial = denialAt(name, place);
        if (denial !== undefined) return { denial, warnings: [] };
      }
      for (const name of names.reverse()) open.push({ value: member(value, name), name, within: place });
    }
  }
  return { warnings };
}

/** The value of a field is the user's as often as the app's, and clients show it as editable. */
const isValueOfField = (place: Place): boolean => /^\/step\/fields\/\d+\/value(?:\/|$)/.test(pointerTo(place));

/** Longer pointers end at the last member that fits. */
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
