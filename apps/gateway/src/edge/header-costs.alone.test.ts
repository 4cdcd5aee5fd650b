/** Reading a header value takes time in proportion to its bytes, for every value that a caller without a credential can send. */

import { expect, test } from 'bun:test';
import { createAddressRanges } from '@flowgate/http1/safe-fetch/address-ranges';
import { RequestHead } from '@flowgate/http1/server/request-head';
import { takesMoreThan } from '@flowgate/testing/takes-more-than';
import { clientAddress } from './contexts/client-address.ts';
import { credentialInHeaders } from './contexts/extracted-credential.ts';
import { isSafeRequestId } from './contexts/masked-path.ts';
import { isJsonType } from './contexts/request-body.ts';

const length = 65_000;
const fillings = [',', ', ', ';', 'a,', 'a, ', ';a', ' ', '"', 'fk_', '%66k_', '10.0.0.1,', '::1,', 'close,', 'a+'];
const head = new RequestHead();
const trusted = createAddressRanges(['10.0.0.0/8', '::1']);

function parse(field: string, value: string): void {
  const bytes = Buffer.from(`GET /a HTTP/1.1\r\nHost: gateway\r\n${field}: ${value}\r\n\r\n`);
  head.parse(bytes, 0, bytes.length);
}

const readers: Readonly<Record<string, (value: string) => unknown>> = {
  Connection: (value) => parse('Connection', value),
  Expect: (value) => parse('Expect', value),
  Host: (value) => parse('Host', value),
  'Transfer-Encoding': (value) => parse('Transfer-Encoding', value),
  'Content-Length': (value) => parse('Content-Length', value),
  'Content-Type': (value) => isJsonType(`application/json;${value}`),
  'X-API-Key': (value) => credentialInHeaders({ header: (name) => (name === 'x-api-key' ? value : null) }),
  Authorization: (value) =>
    credentialInHeaders({ header: (name) => (name === 'authorization' ? `Bearer ${value}` : null) }),
  'X-Forwarded-For': (value) => clientAddress('10.0.0.1', value, trusted),
  'X-Request-Id': (value) => isSafeRequestId(value),
};

const plain = () => parse('X-Other', 'a'.repeat(length));

for (const [name, read] of Object.entries(readers))
  test(`of ${name}`, () => {
    for (const filling of fillings) {
      const value = filling.repeat(Math.ceil(length / filling.length)).slice(0, length);
      expect([filling, takesMoreThan(6, () => read(value), plain, 0.3)]).toEqual([filling, false]);
    }
  });
