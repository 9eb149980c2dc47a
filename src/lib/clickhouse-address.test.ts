import { expect, test } from 'vitest';
import { clusterOf, parseClusterName, withCluster } from './clickhouse-address.ts';

test('an address names its cluster', () => {
  const url = withCluster('http://user:p%40ss@host:8123/errata', 'main');
  expect(url).toBe('http://user:p%40ss@host:8123/errata?cluster=main');
  expect(clusterOf(new URL(url))).toBe('main');
  expect(clusterOf(new URL('http://host:8123'))).toBeNull();
});

test('what becomes part of a statement is a name', () => {
  expect(parseClusterName('prod-eu_1.a')).toBe('prod-eu_1.a');
  for (const name of ['', "a'b", 'a b', '{cluster}', 'x'.repeat(101)])
    expect(() => parseClusterName(name)).toThrow('cluster');
  expect(() => clusterOf(new URL('http://host?cluster=a%27b'))).toThrow('cluster');
});
