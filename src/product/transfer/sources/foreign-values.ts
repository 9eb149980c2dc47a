import { parseBoundedJson } from '#lib/bounded-json.ts';
import { TEXT_CHARACTERS_MAX } from '../record-parts.ts';
import { isJsonObject, type JsonObject } from './json-values.ts';

// PostgreSQL and SQLite give booleans, times, UUIDs and JSON of the same column in different ways.

/** null for null and for text of nothing but spaces; what is too long is cut. */
export function textOf(value: unknown, charactersMax: number = TEXT_CHARACTERS_MAX): string | null {
  if (value === null || value === undefined) return null;
  const text = String(value).slice(0, charactersMax);
  return text.trim() === '' ? null : text;
}

export const numberOf = (value: unknown): number => {
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? number : 0;
};

/** Of `true`, 1 and 't'. */
export const flagOf = (value: unknown): boolean =>
  value === true || value === 1 || value === 't' || value === 'true';

/** RFC 3339 in UTC; null for what is no time. Text without an offset is UTC, as Django writes it. */
export function timeOf(value: unknown): string | null {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === 'number') return timeOf(new Date(value));
  if (typeof value !== 'string' || value === '') return null;
  const text = value.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
  const hasOffset = /(Z|[+-]\d\d:?\d\d)$/i.test(text);
  return timeOf(new Date(hasOffset ? text : `${text}Z`));
}

/** 32 lower-case hex digits of a UUID, dashed or not; null for anything else. */
export function hexOf(value: unknown): string | null {
  const hex = String(value ?? '')
    .replaceAll('-', '')
    .toLowerCase();
  return /^[0-9a-f]{32}$/.test(hex) ? hex : null;
}

/** Of a column of JSON, which its driver may have parsed. null for what is no object. */
export function jsonObjectOf(value: unknown): JsonObject | null {
  const parsed = parsedOf(value);
  return isJsonObject(parsed) ? parsed : null;
}

/** Undefined for text that is no JSON. */
export function parsedOf(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseBoundedJson(value);
  } catch {
    return undefined;
  }
}
