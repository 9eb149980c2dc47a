import { expect, test } from 'vitest';
import {
  firstMeasure,
  functionsOf,
  MEASURED_DATASETS,
  measuredDataset,
  partsOf,
  withFunction,
} from './measured-datasets.ts';

test('each dataset begins with a measure of its own', () => {
  expect(MEASURED_DATASETS.map((dataset) => measuredDataset(firstMeasure(dataset)))).toEqual(
    MEASURED_DATASETS,
  );
});

test('a function is taken apart as far as it is written', () => {
  const parts = (written: string) => partsOf({ dataset: 'spans', function: written });
  expect(parts('p95(span.duration)')).toEqual({ name: 'p95', argument: 'span.duration' });
  expect(parts('percentile(value, 0.9)')).toEqual({ name: 'percentile', argument: 'value, 0.9' });
  expect(parts('avg(tags[a,number])')).toEqual({ name: 'avg', argument: 'tags[a,number]' });
  expect(parts('count()')).toEqual({ name: 'count', argument: '' });
});

test('another function keeps the field that both take', () => {
  const spans = (written: string) => ({ dataset: 'spans', function: written }) as const;
  expect(withFunction(spans('p95(cart.size)'), 'avg')).toEqual(spans('avg(cart.size)'));
  expect(withFunction(spans('p95(cart.size)'), 'count')).toEqual(spans('count()'));
  expect(withFunction(spans('count()'), 'max')).toEqual(spans('max(span.duration)'));
  expect(withFunction(spans('p95(cart.size)'), 'count_unique')).toEqual(spans('count_unique(user)'));
});

test('moments are not offered, and failures only of spans', () => {
  expect(functionsOf('spans')).toContain('failure_rate');
  expect(functionsOf('logs')).not.toContain('failure_rate');
  expect(functionsOf('metrics')).not.toContain('last_seen');
});
