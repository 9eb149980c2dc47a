import { expect, it } from 'vitest';
import { chooseTags } from './choose-tags.ts';

const tags = (...keys: string[]) => keys.map((key) => ({ key, total: 1, distinct: 1, top: [] }));
const labels = (...keys: string[]) =>
  chooseTags(tags(...keys)).map(({ label, tag }) => `${label} ${tag.key}`);

it('shows what tells most, in a fixed order', () => {
  expect(labels('level', 'os', 'environment', 'browser', 'url', 'release', 'runtime')).toEqual([
    'Release release',
    'Environment environment',
    'Browser browser',
    'Route url',
  ]);
});

it('takes what there is', () => {
  expect(labels('server_name', 'custom', 'device.family')).toEqual([
    'Device device.family',
    'Server server_name',
  ]);
  expect(labels()).toEqual([]);
});
