import { expect, it, test } from 'vitest';
import { chooseTags, userLabel } from './top-tags.tsx';

const tags = (...keys: string[]) => keys.map((key) => ({ key, total: 1, distinct: 1, top: [] }));
const labels = (...keys: string[]) =>
  chooseTags(tags(...keys)).map(({ label, tag }) => `${label} ${tag.key}`);

it('shows what tells most, in a fixed order', () => {
  expect(labels('level', 'os', 'environment', 'browser', 'url', 'release', 'runtime')).toEqual([
    'Release release',
    'Environment environment',
    'Browser browser',
    'URL url',
  ]);
});

it('takes what there is', () => {
  expect(labels('server_name', 'custom', 'device.family')).toEqual([
    'Device device.family',
    'Server server_name',
  ]);
  expect(labels('url', 'transaction')).toEqual(['Transaction transaction']);
  expect(labels()).toEqual([]);
});

test.each([
  [{ value: 'id:42', person: 'ana@example.com' }, 'ana@example.com'],
  [{ value: 'id:42' }, '42'],
  [{ value: 'email:ana@example.com' }, 'ana@example.com'],
  [{ value: 'ip:2001:db8::1' }, '2001:db8::1'],
  [{ value: 'set by hand' }, 'set by hand'],
])('%o is shown as %s', (user, label) => {
  expect(userLabel(user)).toBe(label);
});
