import { describe, expect, it } from 'vitest';
import { readPlainField } from './error-field.ts';
import { readErrorsTable, readFieldNames } from './list-errors.ts';

describe('a table of errors', () => {
  it('has events in rows while nothing is counted', () => {
    const table = readErrorsTable(['id', 'release', 'user.display'], 'timestamp');
    expect(table).toMatchObject({ kind: 'rows', order: 'oldest' });
    if (table.kind !== 'rows') return;
    const row = { eventId: 'e', shortId: null, projectSlug: 'web', title: 't', occurredAt: 0 };
    expect(
      table.fields.map((field) =>
        field.read(
          row,
          field.columns.map(() => ''),
        ),
      ),
    ).toEqual(['e', null, null]);
    expect(table.fields[2]?.read(row, ['', 'ada', '7', ''])).toBe('ada');
  });

  it('has the values of one field when something is counted', () => {
    expect(readErrorsTable(['project.name', 'count()'], '-count')).toMatchObject({
      kind: 'groups',
      by: { name: 'project.name', field: 'project' },
      sort: 'events',
      isDescending: true,
    });
    expect(readErrorsTable(['count()'], '-timestamp')).toMatchObject({ by: null, sort: 'last' });
    expect(readErrorsTable(['release', 'count()'], 'release')).toMatchObject({
      sort: 'value',
      isDescending: false,
    });
  });

  it.each([
    [['release', 'environment', 'count()'], '-count()', /one field at a time/],
    [['p95(span.duration)'], '-timestamp', /cannot be counted here/],
    [['issue', 'count()'], '-count()', /cannot be grouped/],
    [['issue.id'], '-timestamp', /issue, the short ID/],
    [['constructor()'], '-timestamp', /cannot be counted here/],
    [['id'], '-count()', /Sort events by timestamp/],
    [['release', 'count()'], '-level', /cannot be counted/],
  ])('refuses %j sorted by %s', (names, sort, message) => {
    expect(() => readErrorsTable(names, sort)).toThrow(message);
  });

  it('a tag may have the name of a method', () => {
    expect(readPlainField('constructor')).toMatchObject({ type: 'string', columns: ['constructor'] });
  });

  it('bounds its fields', () => {
    const names = Array.from({ length: 21 }, (_, index) => `a${index}`);
    expect(() => readFieldNames(names)).toThrow(/at most 20/);
    expect(readFieldNames(['a', 'a', ''])).toEqual(['a']);
  });
});
