import { firstValue, type PageFilters, parsePageFilters, type SearchParams } from '#app/url-state.ts';
import type { Dashboard } from '#domain/dashboards/dashboard.ts';
import { VARIABLES_MAX } from '#domain/dashboards/widget-choices.ts';

/** A field that the reader may narrow every widget by, and what they chose; empty for everything. */
export type ChosenVariable = { field: string; value: string };

/** How a dashboard is read; all of it stands in the address. */
export type DashboardState = {
  filters: PageFilters;
  variables: readonly ChosenVariable[];
  isEditing: boolean;
};

export const VARIABLE_PARAMETER = 'var';
const VALUE_CHARACTERS_MAX = 200;

/** Choices of variables are written as `var=release:app@1`, in which the field has no colon. */
export function parseDashboardState(
  { variables }: Pick<Dashboard, 'variables'>,
  params: SearchParams,
): DashboardState {
  const chosen = [params[VARIABLE_PARAMETER] ?? []].flat().slice(0, VARIABLES_MAX);
  return {
    filters: parsePageFilters(params),
    variables: variables.map((field) => ({
      field,
      value: chosenValue(chosen, field).slice(0, VALUE_CHARACTERS_MAX),
    })),
    isEditing: firstValue(params, 'edit') === '1',
  };
}

const chosenValue = (chosen: readonly string[], field: string): string =>
  chosen.find((each) => each.startsWith(`${field}:`))?.slice(field.length + 1) ?? '';

/** The values of `var` for an address. */
export const variableEntries = (variables: readonly ChosenVariable[]): readonly string[] =>
  variables.filter(({ value }) => value !== '').map(({ field, value }) => `${field}:${value}`);
