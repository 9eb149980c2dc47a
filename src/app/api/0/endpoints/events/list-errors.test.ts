import { describe, expect, it } from 'vitest';
import { readPlainField } from './error-field.ts';
import { readDataset, rowsOf } from './events-dataset.ts';
import { isGrouped, readFieldNames } from './events-question.ts';
import { readErrorRows } from './list-errors.ts';
import { orderOf } from './list-rows.ts';
import { columnNamed } from './table-columns.ts';

describe('a table of errors', () => {
  it('has events in rows while nothing is counted', () => {
    const table = readErrorRows(['id', 'release', 'user.display', 'project.id'], 'timestamp');
    expect(table.order).toBe('timestamp');
    const row = { id: 'e', shortId: null, projectId: 7, projectSlug: 'web', occurredAtUs: 0 };
    expect(
      table.fields.map((field) =>
        field.read(
          row,
          field.columns.map(() => ''),
        ),
      ),
    ).toEqual(['e', null, null, 7]);
    expect(table.fields[2]?.read(row, ['', 'ada', '7', ''])).toBe('ada');
    expect(readErrorRows(['id'], null).order).toBe('-timestamp');
  });

  it.each([
    [['issue.id'], '-timestamp', /issue, the short ID/],
    [['id'], '-count()', /Sort events by timestamp/],
  ])('refuses %j sorted by %s', (names, sort, message) => {
    expect(() => readErrorRows(names, sort)).toThrow(message);
  });

  it('a tag may have the name of a method', () => {
    expect(readPlainField('constructor')).toMatchObject({ type: 'string', columns: ['constructor'] });
  });
});

describe('the fields of a table', () => {
  it('are bounded, each once', () => {
    const names = Array.from({ length: 21 }, (_, index) => `a${index}`);
    expect(() => readFieldNames(names)).toThrow(/at most 20/);
    expect(readFieldNames(['a', 'a', ''])).toEqual(['a']);
    expect(readFieldNames([], 'spans')).toContain('span.op');
  });

  it('make groups with a function, or when they only name metrics', () => {
    expect(isGrouped('errors', ['release', 'count()'])).toBe(true);
    expect(isGrouped('errors', ['release'])).toBe(false);
    expect(isGrouped('metrics', ['metric.name', 'metric.unit'])).toBe(true);
    expect(isGrouped('metrics', ['metric.name', 'value'])).toBe(false);
  });
});

describe('the order of groups', () => {
  const columns = ['project.name', 'release'].map((name) => columnNamed('errors', name));

  it.each<[string | null, string[], string | null, string[]]>([
    [null, ['count()'], null, []],
    [null, [], '-count()', ['count()']],
    ['-count', ['count()'], '-count', []],
    ['-project.name', ['count()'], '-project', []],
    ['release', ['count()'], 'release', []],
    ['-timestamp', ['count()'], '-last_seen()', ['last_seen()']],
    ['-last_seen', ['count()'], '-last_seen()', ['last_seen()']],
    ['count_unique_user', ['count()'], 'count_unique(user)', ['count_unique(user)']],
  ])('by %s of %j', (sort, shown, by, hidden) => {
    expect(orderOf('errors', sort, columns, shown)).toEqual({ sort: by, hidden });
  });

  it('is by something that can be counted', () => {
    expect(() => orderOf('errors', '-level', columns, ['count()'])).toThrow(/not available for errors/);
  });
});

describe('the rows of a dataset', () => {
  it('are named as clients name them', () => {
    expect(readDataset(null)).toBe('errors');
    expect(readDataset('ourlogs')).toBe('logs');
    expect(readDataset('metricsEnhanced', ['metric.name'])).toBe('metrics');
    expect(readDataset('metricsEnhanced', ['count()'])).toBe('transactions');
    expect(() => readDataset('constructor')).toThrow(/not supported/);
  });

  it('are of one metric', () => {
    expect(rowsOf('metrics', ['p95(value,checkout.time,distribution,none)', 'epm()']).within).toBe(
      'metric.name:"checkout.time" metric.type:"distribution"',
    );
    expect(rowsOf('metrics', ['percentile(value, 0.9)']).within).toBe('');
    expect(() => rowsOf('metrics', ['sum(value,a)', 'sum(value,b)'])).toThrow(/same metric/);
  });
});
