import { expect, test } from 'bun:test';
import { createOriginMatcher, isOriginPattern } from './origin-pattern.ts';

test.each([
  '*',
  'https://app.example.com',
  'http://localhost:5173',
  'http://[::1]:8080',
  'http://localhost:*',
  'http://[::1]:*',
  'capacitor://localhost',
  'chrome-extension://abcdefghijklmnop',
])('%s is an origin', (text) => {
  expect(isOriginPattern(text)).toBe(true);
});

test.each([
  '',
  'null',
  'app.example.com',
  'https://app.example.com/',
  'https://app.example.com/path',
  'https://App.example.com',
  'https://app.example.com:443',
  'https://user@app.example.com',
  'https://*.example.com',
  'https://app.example.com:**',
  'http://localhost:5173:*',
  'http://:*',
  'https://',
  `https://${'a.'.repeat(200)}example.com`,
])('%s is not an origin: no browser sends it', (text) => {
  expect(isOriginPattern(text)).toBe(false);
});

test('an exact origin matches only itself', () => {
  const fits = createOriginMatcher(['https://app.example.com', 'capacitor://localhost']);
  expect(['https://app.example.com', 'capacitor://localhost'].every(fits)).toBe(true);
  for (const other of [
    'http://app.example.com',
    'https://app.example.com:8443',
    'https://app.example.com.evil.example',
    'null',
    '',
  ])
    expect(fits(other)).toBe(false);
});

test('`http://localhost:*` matches any port of the host, and no longer host', () => {
  const fits = createOriginMatcher(['http://localhost:*', 'http://[::1]:*']);
  for (const origin of [
    'http://localhost',
    'http://localhost:3000',
    'http://localhost:65535',
    'http://[::1]:5173',
    'http://[::1]',
  ])
    expect(fits(origin)).toBe(true);
  const others = [
    'https://localhost:3000',
    'http://localhost.evil.example:3000',
    'http://evil.example:80',
    'http://localhost:99999',
  ];
  for (const other of [...others, 'http://localhost:', 'http://localhost:3000/', 'http://user@localhost:3000', 'null'])
    expect(fits(other)).toBe(false);
});

test('`*` matches every origin', () => {
  expect(createOriginMatcher(['*'])('null')).toBe(true);
});
