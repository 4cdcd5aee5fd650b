import { expect, test } from 'bun:test';
import { ByteBudget, byteBudgetSizes } from './byte-budget.ts';

const newBudget = () => new ByteBudget({ totalBytes: 100, ownerBytes: 40 });

test('an owner takes up to its share, and others still have theirs', () => {
  const budget = newBudget();
  expect(budget.take('a', 30)).toBe('granted');
  expect(budget.take('a', 11)).toBe('owner-full');
  expect(budget.take('a', 10)).toBe('granted');
  expect(budget.take('a', 1)).toBe('owner-full');
  expect(budget.take('b', 40)).toBe('granted');
});

test('all owners together take no more than the total, and the result names the exceeded bound', () => {
  const budget = newBudget();
  expect(['a', 'b', 'c'].map((owner) => budget.take(owner, 40))).toEqual(['granted', 'granted', 'all-full']);
  expect(budget.take('c', 20)).toBe('granted');
  expect(budget.take('c', 1)).toBe('all-full');
  expect(budget.take('a', 1)).toBe('owner-full');
  expect(budget.reservedBytes).toBe(100);
});

test('a refused request takes nothing; returned bytes are available to any owner', () => {
  const budget = newBudget();
  budget.take('a', 40);
  budget.take('a', 1);
  expect(budget.reservedBytes).toBe(40);
  budget.giveBack('a', 15);
  expect(budget.take('a', 16)).toBe('owner-full');
  expect(budget.take('a', 15)).toBe('granted');
  budget.take('b', 40);
  budget.giveBack('a', 40);
  expect(budget.take('c', 40)).toBe('granted');
});

test('an owner without reserved bytes is not stored', () => {
  const budget = newBudget();
  for (let n = 0; n < 1_000; n++) {
    budget.take(`owner ${n}`, 7);
    budget.take(`owner ${n}`, 0);
    budget.take(`too much ${n}`, 41);
    budget.take(`nothing ${n}`, 0);
    budget.giveBack(`owner ${n}`, 3);
    budget.giveBack(`owner ${n}`, 4);
    budget.giveBack(`nothing ${n}`, 0);
  }
  expect([budget.owners, budget.reservedBytes]).toEqual([0, 0]);
});

test('returning more than was taken throws', () => {
  const budget = newBudget();
  budget.take('a', 5);
  expect(() => budget.giveBack('a', 6)).toThrow(RangeError);
  expect(() => budget.giveBack('b', 1)).toThrow(RangeError);
  expect(budget.reservedBytes).toBe(5);
});

test('names of object properties are valid owners', () => {
  const budget = newBudget();
  expect(['__proto__', 'constructor', ''].map((owner) => budget.take(owner, 33))).toEqual([
    'granted',
    'granted',
    'granted',
  ]);
  expect(budget.take('__proto__', 8)).toBe('owner-full');
});

test('a share is a quarter, but at least the largest single item, and the total at least two of those', () => {
  expect(byteBudgetSizes(1_000, 10)).toEqual({ totalBytes: 1_000, ownerBytes: 250 });
  expect(byteBudgetSizes(1_000, 400)).toEqual({ totalBytes: 1_000, ownerBytes: 400 });
  expect(byteBudgetSizes(1_000, 800)).toEqual({ totalBytes: 1_600, ownerBytes: 800 });
});
