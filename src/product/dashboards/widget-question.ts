import type { Widget } from '#domain/dashboards/dashboard.ts';
import type { SavedQuestion } from '#storage/ports/saved-question.ts';

/** The table of Explore that has the numbers of a widget, of every project and the last days. */
export function questionOf({ display, functions, groupBy, fields, sort }: Widget): SavedQuestion {
  const isList = display === 'list';
  return {
    view: isList ? 'samples' : 'groups',
    fields: fields.length > 0 ? fields : ['timestamp'],
    // One number is of all rows.
    groupBy: isList || display === 'number' ? [] : groupBy,
    functions: functions.length > 0 ? functions : ['count()'],
    sort: display === 'number' ? null : sort,
    isCompared: false,
    projects: [],
    environments: [],
    time: { kind: 'last', period: '14d' },
  };
}
