import type { ProcessingError } from '#protocol/event.ts';
import { boundedJson } from './bounded-json.ts';
import { type JsonLimits, PROBLEM_VALUE_LIMITS, PROBLEMS_MAX } from './limits.ts';
import { cutText, toSafeText } from './safe-text.ts';

/** Unknown input that is known to be an object. */
export type Source = Readonly<Record<string, unknown>>;

export const isSource = (value: unknown): value is Source =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object, or an empty one for anything else. */
export const objectOf = (value: unknown): Source => (isSource(value) ? value : {});

/**
 * Reads fields of documented types out of unknown input. A field of the wrong type reads as absent (undefined)
 * and leaves a processing error; null and missing fields are absent without one.
 * Paths name the parent, dotted; a field's own name is joined to it only when there is something to report.
 */
export class FieldReader {
  readonly problems: ProcessingError[] = [];
  /** Whether the input may hold NUL or lone surrogates. */
  readonly unsafeText: boolean;

  constructor(unsafeText: boolean) {
    this.unsafeText = unsafeText;
  }

  report(type: string, path: string, key: string, reason: string, value?: unknown): void {
    if (this.problems.length >= PROBLEMS_MAX) return;
    const problem: ProcessingError = { type, name: this.safe(cutText(joinPath(path, key), 500)), reason };
    if (value !== undefined) problem.value = boundedJson(value, PROBLEM_VALUE_LIMITS, true).value;
    this.problems.push(problem);
  }

  invalid(path: string, key: string, expected: string, value: unknown): void {
    this.report('invalid_data', path, key, `expected ${expected}`, value);
  }

  /** Numbers and booleans become text. The empty string is absent. */
  text(source: Source, key: string, path: string, charsMax: number): string | undefined {
    const value = source[key];
    if (value === undefined || value === null || value === '') return undefined;
    const text = this.textOf(value);
    if (text === undefined) {
      this.invalid(path, key, 'a string', value);
      return undefined;
    }
    return this.shorten(text, path, key, charsMax);
  }

  /** As `text`, with objects and arrays as their JSON. */
  anyText(source: Source, key: string, path: string, charsMax: number): string | undefined {
    const value = source[key];
    if (typeof value !== 'object' || value === null) return this.text(source, key, path, charsMax);
    const limits = { depthMax: 5, charsMax, stringCharsMax: charsMax, itemsMax: 100 };
    return this.shorten(
      JSON.stringify(boundedJson(value, limits, this.unsafeText).value),
      path,
      key,
      charsMax,
    );
  }

  /** Cleans and bounds text that was read already. */
  shorten(text: string, path: string, key: string, charsMax: number): string {
    if (text.length > charsMax) {
      this.report('value_too_long', path, key, `truncated to ${charsMax} of ${text.length} characters`);
    }
    return this.safe(cutText(text, charsMax));
  }

  /** A number, also written as text. */
  number(source: Source, key: string, path: string): number | undefined {
    const value = source[key];
    if (value === undefined || value === null || value === '') return undefined;
    const number = typeof value === 'string' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    this.invalid(path, key, 'a number', value);
    return undefined;
  }

  /** A number of a line or column: zero and below say that the SDK does not know it. */
  position(source: Source, key: string, path: string): number | undefined {
    const value = this.number(source, key, path);
    return value !== undefined && value >= 1 ? Math.floor(value) : undefined;
  }

  boolean(source: Source, key: string, path: string): boolean | undefined {
    const value = source[key];
    if (typeof value === 'boolean') return value;
    if (value === undefined || value === null) return undefined;
    if (value === 1 || value === 'true') return true;
    if (value === 0 || value === 'false') return false;
    this.invalid(path, key, 'a boolean', value);
    return undefined;
  }

  object(source: Source, key: string, path: string): Source | undefined {
    const value = source[key];
    if (value === undefined || value === null) return undefined;
    if (isSource(value)) return value;
    this.invalid(path, key, 'an object', value);
    return undefined;
  }

  /** Free-form JSON; undefined when it is null or missing. */
  json(source: Source, key: string, path: string, limits: JsonLimits): unknown {
    const value = source[key];
    if (value === undefined || value === null) return undefined;
    return this.boundedCopy(value, key, path, limits);
  }

  /** Free-form JSON that must be an object; an empty one is absent. An array becomes an object of its indexes. */
  jsonObject(
    source: Source,
    key: string,
    path: string,
    limits: JsonLimits,
  ): Readonly<Record<string, unknown>> | undefined {
    const value = source[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'object') {
      this.invalid(path, key, 'an object', value);
      return undefined;
    }
    const object = Array.isArray(value)
      ? Object.fromEntries(value.slice(0, limits.itemsMax).entries())
      : value;
    const copy = this.boundedCopy(object, key, path, limits);
    return isSource(copy) && Object.keys(copy).length > 0 ? copy : undefined;
  }

  /**
   * The entries of a list, each with its own path; absent entries are left out.
   * Takes `[…]`, `{values: […]}` and, where `single` says so, one bare object.
   */
  list(source: Source, key: string, single: boolean): readonly unknown[] {
    const value = source[key];
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    if (isSource(value)) {
      if (Array.isArray(value.values)) return value.values;
      if (isSource(value.values)) return [value.values];
      if (value.values === null || Object.keys(value).length === 0) return [];
      if (value.values === undefined && single) return [value];
    }
    this.invalid('', key, 'a list', value);
    return [];
  }

  /** A number or boolean as text; undefined when the value is neither that nor text. */
  textOf(value: unknown): string | undefined {
    if (typeof value === 'string') return value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
  }

  safe(text: string): string {
    return this.unsafeText ? toSafeText(text) : text;
  }

  private boundedCopy(value: unknown, key: string, path: string, limits: JsonLimits): unknown {
    const copy = boundedJson(value, limits, this.unsafeText);
    if (copy.cut) {
      this.report(
        'value_too_long',
        path,
        key,
        `truncated to ${limits.charsMax} characters and ${limits.depthMax} levels`,
      );
    }
    return copy.value;
  }
}

export const joinPath = (path: string, key: string): string => {
  if (path === '') return key;
  return key === '' ? path : `${path}.${key}`;
};

/** The value, or undefined when none of its fields is present. */
export function unlessEmpty<T extends object>(value: T): T | undefined {
  for (const key in value) if (value[key] !== undefined && value[key] !== null) return value;
  return undefined;
}

/** `{values: […]}` or a bare list. */
export function listOf(value: unknown): readonly unknown[] {
  const list = isSource(value) ? value.values : value;
  return Array.isArray(list) ? list : [];
}

/** Tags as pairs, from either of their forms. */
export function pairsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isSource(value) ? Object.entries(value) : [];
}
