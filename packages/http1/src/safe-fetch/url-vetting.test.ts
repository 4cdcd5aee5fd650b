import { expect, test } from 'bun:test';
import { createUrlVetting } from './url-vetting.ts';

const vet = createUrlVetting(['127.0.0.1', 'chain.internal:8080', '[::1]:9000', 'plain.example:80']);
const detailOf = (text: string) => {
  const vetted = vet(text);
  return vetted.ok ? 'allowed' : vetted.detail;
};

test('https URLs of public hosts pass as they are written (contract/flow-apps)', () => {
  const good = [
    'https://app.example.com',
    'https://app.example.com/',
    'https://APP.Example.com/base/path?x=1#y',
    'HTTPS://app.example.com:443/',
    'https://app.example.com:8443/%2e%2e/@user:pass',
    'https://xn--bcher-kva.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:3000/x',
    'https://a_b.example.com?q',
    'https://internal.example.com/',
    'https://localhost.example.com/',
  ];
  expect(good.map((text) => [text, detailOf(text)])).toEqual(good.map((text) => [text, 'allowed']));
});

test('the refusal names the broken rule and repeats nothing of the URL (contract/flow-apps)', () => {
  const rules: readonly (readonly [string, RegExp])[] = [
    ['http://app.example.com/', /must be https$/],
    ['ftp://app.example.com/', /absolute https URL$/],
    ['app.example.com', /absolute https URL$/],
    ['', /absolute https URL$/],
    ['https:app.example.com', /absolute https URL$/],
    ['https:///app.example.com', /plain host/],
    ['https://user:secret@app.example.com/', /without user or password$/],
    ['https://app.example.com:22/', /port must be/],
    ['https://app.example.com:80/', /port must be/],
    ['https://app.example.com:6379/', /port must be/],
    ['https://app.example.com:6000/', /port must be/],
    ['https://app.example.com:70000/', /absolute https URL$/],
    ['https://app.example.com:08443/', /plain host/],
    ['https://10.0.0.1/', /must be a public one$/],
    ['https://printer.local/', /must be a public name$/],
    ['https://printer/', /must be a public name$/],
    [`https://${'a.'.repeat(130)}com/`, /must be a public name$/],
    [`https://app.example.com/${'x'.repeat(2048)}`, /at most 2048 characters$/],
    ['https://app.example.com/a b', /plain ASCII/],
    ['https://app.example.com/é', /plain ASCII/],
  ];
  for (const [text, rule] of rules) {
    const detail = detailOf(text);
    expect([text, detail]).toEqual([text, expect.stringMatching(rule)]);
    expect(detail).not.toContain('example.com');
  }
});

test('a host that the operator allows may be private and plain http, exactly as the operator wrote it (contract/running)', () => {
  const allowed = [
    'http://127.0.0.1/',
    'https://127.0.0.1:8080/x',
    'http://127.0.0.1:22/',
    'http://chain.internal:8080/',
    'https://chain.internal:8080/',
    'http://[::1]:9000/',
    'http://plain.example/',
  ];
  for (const text of allowed)
    expect([text, vet(text)]).toMatchObject([text, { ok: true, value: { privateAllowed: true } }]);
  const others = [
    'http://127.1/',
    'http://127.0.0.2/',
    'http://0x7f.0.0.1/',
    'http://2130706433/',
    'http://user@127.0.0.1/',
    'http://127.0.0.1./',
    'http://127.0.0.1.example.com/',
    'http://chain.internal/',
    'http://chain.internal:8081/',
    'http://x.chain.internal:8080/',
    'http://CHAIN.internal:8080/',
    'http://chain.internal.:8080/',
    'http://[::1]/',
    'http://[0::1]:9000/',
    'http://plain.example:81/',
  ];
  expect(others.filter((text) => vet(text).ok)).toEqual([]);
});
