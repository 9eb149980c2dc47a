import type { Source } from '../normalize/field-reader.ts';

/** A report as an event that an SDK could have sent; null when a field is missing without which it says nothing. */
export type ReportEvent = Readonly<Record<string, unknown>>;

/** The first of these fields that is text and not empty. */
export function textOf(report: Source, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = report[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** The first of these fields that is a whole number, also written as text. */
export function countOf(report: Source, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = report[name];
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isInteger(number) && number >= 0) return number;
  }
  return undefined;
}

/** Without the fields that are undefined. */
export const present = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** `blocked-uri` → `blocked_uri`, for every field that is not known by name. */
export function restOf(report: Source, known: ReadonlySet<string>): Record<string, unknown> {
  const rest: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(report)) {
    if (!known.has(name) && name !== '__proto__') rest[name.replaceAll('-', '_')] = value;
  }
  return rest;
}
