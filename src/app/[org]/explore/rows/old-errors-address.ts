import { firstValue, type SearchParams } from '#app/url-state.ts';

/** Sorts of the page of errors as it was before it had functions. */
const SORTS: Readonly<Record<string, string>> = {
  oldest: 'timestamp',
  newest: '-timestamp',
  events: 'count()',
  users: 'count_unique(user)',
  first: 'first_seen()',
  last: 'last_seen()',
};

/** The parameters of an address of errors, with those that it had before in the terms of today. */
export function renewErrorsParams(params: SearchParams): SearchParams {
  const { column, ...rest } = params;
  const sort = firstValue(params, 'sort');
  const [, sign = '', name = ''] = /^(-?)(.*)$/.exec(sort ?? '') ?? [];
  const group = firstValue(params, 'group');
  const renewed = name === 'value' ? group : SORTS[name];
  return {
    ...rest,
    ...(sort !== null && renewed ? { sort: `${sign}${renewed}` } : {}),
    // The title was always there.
    ...(column === undefined || rest.field !== undefined ? {} : { field: ['title', ...[column].flat()] }),
    // A view that is grouped said so by its field.
    ...(group !== null && rest.view === undefined ? { view: 'groups' } : {}),
  };
}
