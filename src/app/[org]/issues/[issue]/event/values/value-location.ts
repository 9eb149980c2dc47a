import { withQuery } from '#app/url-state.ts';

/** Where a value is: in which event, under which names and indexes. */
export type ValueLocation = { eventHref: string; path: readonly string[] };

export const below = ({ eventHref, path }: ValueLocation, ...names: (string | number)[]): ValueLocation => ({
  eventHref,
  path: [...path, ...names.map(String)],
});

/** The address of the whole value as text. */
export const valueHref = ({ eventHref, path }: ValueLocation): string =>
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

/** Shorter values are kept on one line. */
const LINE_CHARACTERS_MAX = 64;

/** Any value of an event as text: strings as they are, everything else as JSON, broken into lines only where it is long. */
export function formatValue(value: unknown): string {
  return typeof value === 'string' ? value : formatJson(value, '');
}

function formatJson(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const parts = Array.isArray(value)
    ? value.map((item) => formatJson(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${formatJson(item, inner)}`);
  if (parts.length === 0) return `${open}${close}`;
  const pad = open === '[' ? '' : ' ';
  const line = `${open}${pad}${parts.join(', ')}${pad}${close}`;
  if (line.length + indent.length <= LINE_CHARACTERS_MAX && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
