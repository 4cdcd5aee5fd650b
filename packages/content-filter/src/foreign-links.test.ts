import { expect, test } from 'bun:test';
import { createContentFilter } from './content-filter.ts';
import { linkedHosts } from './linked-hosts.ts';

const filter = createContentFilter({ disable: [], rules: [], linkDomains: ['etherscan.io'] });
const denialOf = (text: string, domains: readonly string[]) => filter({ step: { title: text } }, domains).denial;
const denied = { ruleId: 'foreign-links', pointer: '/step/title' };

test('texts may link to declared domains, their subdomains, and those of the configuration (contract/flow-apps#content-filter)', () => {
  const domains = ['acme.io', 'xn--mnzwerk-n2a.de'];
  for (const text of ['https://acme.io/a', 'docs.acme.io', 'https://etherscan.io/tx/0x1', 'https://münzwerk.de'])
    expect([text, denialOf(text, domains)]).toEqual([text, undefined]);
  for (const text of ['https://evil.io', 'notacme.io', 'https://acme.io.evil.com', 'acme.io.evil.com/x'])
    expect([text, denialOf(text, domains)]).toEqual([text, denied]);
});

test('an app without declared domains may not link anywhere', () => {
  expect(denialOf('https://acme.io', [])).toEqual(denied);
  expect(denialOf('https://docs.example.com and http://localhost:3000', [])).toBeUndefined();
});

test.each([
  'Uses Node.js, msg.sender, block.timestamp and token.transfer(to)',
  'vitalik.eth sent 1.5 ETH',
  'metadata.json, README.md and Token.sol',
  'version 1.2.3.4 at 10.0.0.0/8',
  'done.Click here',
  'e.g. this, i.e. that',
])('a text that only resembles a domain is not one: %s', (text) => {
  expect(linkedHosts(text)).toEqual({ links: [], mail: [] });
});

test('the value of a field is not checked, and an e-mail address is flagged, not refused', () => {
  const field = { fieldId: 'url', label: 'Your site', value: 'https://home.io' };
  expect(filter({ step: { fields: [field] } }, [])).toEqual({ warnings: [] });
  expect(filter({ step: { title: 'Sent to a@b.org' } }, [])).toEqual({
    warnings: [
      { ruleId: 'foreign-links', pointer: '/step/title', message: 'Leads to a site that the app has not declared.' },
    ],
  });
});

test('an operator can let foreign links pass with a warning', () => {
  const lenient = createContentFilter({ disable: [], rules: [], flag: ['foreign-links'] });
  expect(lenient({ step: { title: 'https://evil.io' } }, [])).toMatchObject({
    warnings: [{ ruleId: 'foreign-links' }],
  });
});
