import { expect, test } from 'vitest';
import { fields, readFields, valuesOf } from './fields.ts';

const FIELDS = fields({
  name: { kind: 'text', label: 'Name', max: 5 },
  slug: { kind: 'slug', label: 'Slug' },
  limit: { kind: 'number', label: 'Limit', isOptional: true },
  budget: { kind: 'number', label: 'Budget', unit: 'GiB', isOptional: true, allowsFraction: true },
  isOn: { kind: 'switch', label: 'On' },
  roles: { kind: 'choices', label: 'Roles' },
  rules: { kind: 'lines', label: 'Rules' },
  token: { kind: 'secret', label: 'Token' },
});

const formOf = (sent: Record<string, string>) => {
  const form = new FormData();
  for (const [name, value] of Object.entries(sent)) form.append(name, value);
  return form;
};

test('what a browser sends becomes what the verb takes', () => {
  const form = formOf({ name: ' A', slug: ' a ', isOn: 'on', rules: 'one\r\ntwo', token: 'secret' });
  form.append('roles', 'owner');
  form.append('roles', 'member');
  expect(readFields(FIELDS, form)).toMatchObject({
    input: {
      name: ' A',
      slug: 'a',
      limit: null,
      budget: null,
      isOn: true,
      roles: ['owner', 'member'],
      rules: 'one\ntwo',
      token: 'secret',
    },
    errors: null,
  });
});

test('a form that says nothing is empty', () => {
  expect(readFields(FIELDS, new FormData())).toMatchObject({
    input: { name: '', slug: '', limit: null, budget: null, isOn: false, roles: [], rules: '', token: '' },
  });
});

test.each([
  ['', null],
  ['  ', null],
  ['0', 0],
  ['1,000', 1_000],
  ["1'000 000", 1_000_000],
])('%j is the whole number %s', (limit, expected) => {
  expect(readFields(FIELDS, formOf({ limit }))).toMatchObject({ input: { limit: expected } });
});

test.each(['1.5', '-1', '1e3', 'many', '1'.repeat(16)])('%j is not a whole number', (limit) => {
  expect(readFields(FIELDS, formOf({ limit })).errors).toEqual({
    limit: 'Enter a whole number, or leave the field empty.',
  });
});

test.each([
  ['2', 2],
  ['0,5', 0.5],
  ['1.125', 1.125],
])('%j is the number %s', (budget, expected) => {
  expect(readFields(FIELDS, formOf({ budget }))).toMatchObject({ input: { budget: expected } });
});

test('every wrong field has a sentence, and what was typed is kept but for what is secret', () => {
  const read = readFields(FIELDS, formOf({ name: 'too long', budget: '1.2.3', token: 'secret' }));
  expect(read.errors).toEqual({
    name: 'Enter at most 5 characters.',
    budget: 'Enter a number of GiB, such as 2 or 0.5.',
  });
  expect(read.typed).toMatchObject({ name: 'too long', budget: '1.2.3' });
  expect(read.typed).not.toHaveProperty('token');
});

test('only what has a field goes to the browser', () => {
  const stored = { name: 'Shop', slug: 'shop', passwordHash: 'hidden' };
  const values = valuesOf(FIELDS, stored);
  expect(values).toMatchObject({ name: 'Shop', slug: 'shop', limit: null });
  expect(values).not.toHaveProperty('passwordHash');
});
