/**
 * The reference page's script: search, copy buttons, and a menu that closes. It creates the elements that need it, so that the page has no dead element
 * without scripts. It writes only text, never markup, and sends nothing.
 */

import { createHash } from 'node:crypto';

/** The search finds an operation's refusals by status only, because most operations share their sentences, which have their own table. */
const search = `
const box = document.getElementById('search');
const found = document.getElementById('found');
const wordsOf = (at) => {
  const copy = at.cloneNode(true);
  for (const each of copy.querySelectorAll('.answers .bad ~ *, .answers details:has(.bad) > :not(summary)')) each.remove();
  return copy.textContent.toLowerCase();
};
const parts = [...document.querySelectorAll('.operation, .schema, #errors tbody tr')].map((at) => ({ at, text: wordsOf(at) }));
const groups = [...document.querySelectorAll('main > section')];
const links = [...document.querySelectorAll('nav li > a[href^="#"]')];
const show = () => {
  const words = box.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const isAsked = words.length > 0;
  let count = 0;
  for (const { at, text } of parts) {
    at.hidden = !words.every((word) => text.includes(word));
    if (!at.hidden) count += 1;
  }
  for (const group of groups) group.hidden = isAsked && !parts.some(({ at }) => !at.hidden && group.contains(at));
  for (const link of links) {
    const target = document.getElementById(link.hash.slice(1));
    link.parentElement.hidden = target === null || target.closest('[hidden]') !== null;
  }
  document.body.classList.toggle('searching', isAsked);
  found.textContent = isAsked ? (count === 0 ? 'Nothing found' : count + ' found') : '';
};
const clear = () => { box.value = ''; show(); };
box.addEventListener('input', () => { show(); scrollTo(0, 0); });
box.addEventListener('keydown', (event) => { if (event.key === 'Escape') clear(); });
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, [contenteditable]')) return;
  event.preventDefault();
  box.focus();
});
addEventListener('hashchange', () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null || target.closest('[hidden]') === null) return;
  clear();
  target.scrollIntoView();
});
box.parentElement.hidden = false;
if (box.value !== '') show();
`;

/** The Clipboard API exists on https and loopback only; elsewhere the script uses `execCommand`. */
const copy = `
const select = (code) => {
  const range = document.createRange();
  range.selectNodeContents(code);
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  return document.execCommand('copy');
};
const copied = (code) => navigator.clipboard === undefined
  ? Promise.resolve(select(code))
  : navigator.clipboard.writeText(code.textContent).then(() => true, () => select(code));
for (const figure of document.querySelectorAll('figure')) {
  const caption = figure.querySelector('figcaption');
  const what = caption.textContent;
  const button = document.createElement('button');
  const say = (text) => {
    button.textContent = text;
    button.setAttribute('aria-label', text + ': ' + what);
  };
  button.type = 'button';
  say('Copy');
  button.addEventListener('click', async () => {
    say((await copied(figure.querySelector('code'))) ? 'Copied' : 'Press Ctrl+C');
    setTimeout(say, 2000, 'Copy');
  });
  caption.append(button);
}
`;

const menu = `
const menu = document.querySelector('.menu');
menu.addEventListener('click', (event) => { if (event.target.closest('a') !== null) menu.open = false; });
`;

/** The style sheet adapts the page to the console, which shows it in a frame. */
const embedding = `
if (self !== top) document.documentElement.classList.add('embedded');
`;

export const script = `'use strict';\n{${embedding}}\n{${search}}\n{${copy}}\n{${menu}}\n`;

/** For the policy, which allows this script only. */
export const scriptHash = `sha256-${createHash('sha256').update(script).digest('base64')}`;
