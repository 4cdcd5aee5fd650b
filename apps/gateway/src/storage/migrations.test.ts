import { expect, test } from 'bun:test';
import { migrationChecksum } from '@flowgate/sql/engine/schema';
import { migrations } from './migrations.ts';

test('versions count from one without a gap', () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, at) => at + 1));
});

test('a released migration is never edited: add another one instead', () => {
  expect(migrations.map(migrationChecksum)).toEqual([
    'a9dd5f32a639f2e3e61b28a0b7c1f9b1d8e0ab50d290a28bf43b6cb6d5769c6a',
    '1fcbb098d4ff482e221eb2cfcb9577c1e60debc60086a002d3ce3c4defa1200e',
    'b3ca8d6a6ce3eb377847f30cec799539a0666976a1e4c78ec75a816526c4168b',
    '0981499a6789a980b22e40b5035d9fa031e18c901eff99adbe976b18ade9df8d',
    '5728b24f39b2c6c418f4f701527682c375c26b4d1321dc38d03bd44d26a371bf',
    'b7d68e5fae37798ce80c5f76e5a946a812c99dbce812c476643a74cdc0269ed0',
    '8b9952cd99fae024c945e978ddefd82598adb8e7a0f4304b84885568a2d4ccfc',
    '47a6030196e1a9ba22c6857ff55b017468179bd20cf1934178bc27be16cc229a',
    '19da50e1dc6e3464fe397ed460be151ffb24bdd9fa72631f36987eb5344913d4',
    'db26f65069c85c0a42ca135a232959b4e65dd21ccaa46c3894732564f187aafc',
    '6a4d98a77a79923400c4c8b6d3360b75566e2124bc85945997dd06783b79abea',
    '9685e6f88610dd59895745dc922ee250d60b03f1da7dc08b96d62bb356fe9cac',
    'ec4f5a2937c9adf509ada4c69ea134d9fbe5245a82a1b506f6598496356b58eb',
    '2e0ec9a6643a917e6e41df274c8d416fdce0530ca4e63d1fc199801d2b3a978f',
    'd14f6c7c020f04449829f164cc40f4eccf022ada9b7a55aaaf0f3dd8ecad1c8e',
    '15c32bd6fdb094f7402401a8b92ea2f85c90e6e556306dcc86371e8689a52bce',
    '012ae36a4c452de5b8f01f58d62d5b977d01902881e900e4513dc788072ad286',
    'b84c9bb2bea4b6ac2cba09cc097cc3e27c7655b6073755d26a5931c113cfd91f',
    '8ed86fb3b2be0b64d16e0c3d350b818214d43ec2c977b0a7c7ee8533cc01e5a9',
    '73d65a74a5601959623643cdb67d0617d8569b9fdc615bdb7bc0ed2574054242',
    '9df78cf9750ff399d594286c5807d3ffeda67fcbb2cbd9b62473f01a318056f4',
  ]);
});
