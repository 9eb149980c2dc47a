import type { WidgetDisplay } from '#domain/dashboards/widget-choices.ts';

/** What a widget shows, for people who choose it. */
export const DISPLAY_LABELS: Readonly<Record<WidgetDisplay, string>> = {
  line: 'Lines over time',
  bar: 'Bars over time',
  number: 'Number',
  table: 'Table of groups',
  list: 'List of rows',
  issues: 'Issues',
  text: 'Text',
};
