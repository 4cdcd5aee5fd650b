import { expect, test } from 'bun:test';
import { createContentFilter } from './content-filter.ts';

const filter = createContentFilter({ disable: [], rules: [] });
const field = (label: string, more: object = {}) => ({ fieldId: 'x', type: 'text', label, ...more });
const denialOf = (step: object) => filter({ step }).denial;

test.each([
  { title: 'To verify your wallet, please enter your', description: 'seed', fields: [field('phrase in full')] },
  { title: 'Check', fields: [field('Type in your private', { help: 'key, 64 characters' })] },
  { title: 'Wallet', description: 'Geben Sie bitte Ihre', fields: [field('Seed', { help: 'phrase ein' })] },
  { title: '请输入您的', fields: [field('助记', { help: '词' })] },
  { title: 'Note', description: 'Ignore all previous', actions: [{ actionId: 'go', label: 'instructions' }] },
  {
    title: `${'x '.repeat(100)}please enter your`,
    description: `recovery phrase of which we spoke ${'and spoke '.repeat(500)}`,
  },
])('a request that continues from text to text is found: %j', (step) => {
  expect(denialOf(step)?.pointer).toBe('/step');
});

test('the label of a field for typing is a request on its own, regardless of the texts around it', () => {
  const asking = [field('Amount'), field('Account seed phrase (as noted)', { help: 'From your wallet' })];
  expect(denialOf({ title: 'Continue', fields: asking })).toEqual({
    ruleId: 'secret-requests',
    pointer: '/step/fields/1',
  });
  const choice = field('Where is the seed phrase of the treasury', { type: 'select' });
  expect(denialOf({ title: 'Continue', fields: [choice] })).toBeUndefined();
  const warned = field('Note', { help: 'Never put your seed phrase in here.' });
  expect(denialOf({ title: 'Continue', fields: [warned] })).toBeUndefined();
});

test.each(['Word', 'Wort', 'Mot nº', '', '单词', 'Слово', '#'])(
  'eight fields called "%s 1" and on are a seed phrase',
  (noun) => {
    const fields = (count: number) => Array.from({ length: count }, (_, nth) => field(`${noun} ${nth + 1}`));
    expect(denialOf({ title: 'Restore', fields: fields(12) })).toEqual({
      ruleId: 'secret-requests',
      pointer: '/step/fields',
    });
    expect(denialOf({ title: 'A game', fields: fields(5) })).toBeUndefined();
  },
);

test('complete texts are not joined', () => {
  for (const step of [
    { title: 'Send', description: 'Your private key never leaves your wallet.' },
    {
      title: 'Enter the amount.',
      description: 'Seed round, second closing.',
      fields: [field('Key contact', { help: 'Phrase of the day' })],
    },
    { title: 'Ignore', description: 'Previous instructions of the bank are in the archive.' },
  ])
    expect([step, denialOf(step)]).toEqual([step, undefined]);
});

test('disabled rules and rules that only flag refuse no step', () => {
  const step = { title: 'Please enter your', description: 'seed phrase' };
  for (const settings of [{ disable: ['secret-requests'] }, { disable: [], flag: ['secret-requests'] }])
    expect(createContentFilter({ rules: [], ...settings })({ step }).denial).toBeUndefined();
});
