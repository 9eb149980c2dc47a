import type { WidgetDisplay } from '#domain/dashboards/widget-choices.ts';
import type { RowsState } from './rows-state.ts';

/** How an answer of Explore can be shown on a dashboard, the most like it first. */
export const displaysOf = ({ view }: Pick<RowsState, 'view'>): readonly WidgetDisplay[] =>
  view === 'samples' ? ['list', 'line', 'bar', 'number'] : ['table', 'line', 'bar', 'number'];
