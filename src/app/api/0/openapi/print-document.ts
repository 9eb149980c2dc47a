import type { OpenApiDocument } from './build-document.ts';

/** As JSON with a line for each path and each schema, so that a change of one can be read. */
export function printDocument({ paths, components, ...rest }: OpenApiDocument): string {
  const { schemas, ...others } = components;
  return [
    JSON.stringify(rest).slice(0, -1),
    `"paths": ${printEntries(paths)}`,
    `"components": ${JSON.stringify(others).slice(0, -1)}`,
    `"schemas": ${printEntries(schemas as Readonly<Record<string, unknown>>)}}}\n`,
  ].join(',\n');
}

const printEntries = (entries: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(entries)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}`;
