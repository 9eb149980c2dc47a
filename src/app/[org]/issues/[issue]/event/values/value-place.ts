import { withQuery } from '#app/url-state.ts';

/** Where a value stands: in which event, below which names and places. */
export type ValuePlace = { eventHref: string; path: readonly string[] };

export const below = ({ eventHref, path }: ValuePlace, ...names: (string | number)[]): ValuePlace => ({
  eventHref,
  path: [...path, ...names.map(String)],
});

/** The address of the whole value as text. */
export const valueHref = ({ eventHref, path }: ValuePlace): string =>
  withQuery(`${eventHref}/value`, { at: path });

const DEPTH_MAX = 32;

/** The value at a place of an event; undefined when nothing is there. Own names only. */
export function valueAt(event: unknown, path: readonly string[]): unknown {
  if (path.length > DEPTH_MAX) return undefined;
  let value = event;
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}
