import { withQuery } from '../../url-state.ts';

/** Pages of a list start again when what it is narrowed to changes. */
const PAGING = 'cursor';

/** The address with the named parameters replaced by the given ones and all others kept. */
export function withFilters(
  pathname: string,
  parameters: URLSearchParams,
  replaced: readonly string[],
  entries: Readonly<Record<string, string | readonly string[] | null>>,
): string {
  const names = [...new Set(parameters.keys())].filter((name) => name !== PAGING && !replaced.includes(name));
  const kept = Object.fromEntries(names.map((name) => [name, parameters.getAll(name)]));
  return withQuery(pathname, { ...kept, ...entries });
}
