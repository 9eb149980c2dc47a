import type { Attributes, AttributeValue } from '#protocol/telemetry.ts';
import { boundedJson } from '../normalize/bounded-json.ts';
import { isSource } from '../normalize/field-reader.ts';
import { cutText, toSafeText } from '../normalize/safe-text.ts';
import {
  ATTRIBUTE_JSON_LIMITS,
  ATTRIBUTE_KEY_CHARS_MAX,
  ATTRIBUTE_VALUE_CHARS_MAX,
  ATTRIBUTES_CHARS_MAX,
  ATTRIBUTES_MAX,
} from './limits.ts';

/** Says how many attributes were left out of an element, because of their types or of the bounds. */
export const DROPPED_ATTRIBUTES = 'errata.dropped_attributes';

/**
 * The attributes of one span, log or metric, as they are collected. Texts are cut and made storable; objects and arrays
 * become their JSON; null and undefined are absent; NaN, what is beyond the bounds, and `__proto__` is dropped and counted.
 */
export class AttributeSet {
  readonly #values = new Map<string, AttributeValue>();
  readonly #unsafeText: boolean;
  #charsLeft: number;
  #dropped = 0;

  /** `unsafeText` says whether texts may hold NUL or lone surrogates. */
  constructor(unsafeText: boolean, charsMax = ATTRIBUTES_CHARS_MAX) {
    this.#unsafeText = unsafeText;
    this.#charsLeft = charsMax;
  }

  get size(): number {
    return this.#values.size;
  }

  get(key: string): AttributeValue | undefined {
    return this.#values.get(key);
  }

  /** The value of the first of these keys that has one, as text. */
  text(...keys: readonly string[]): string | undefined {
    for (const key of keys) {
      const value = this.#values.get(key);
      if (value !== undefined && value !== '') return String(value);
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  /** Sets any value; the last one of a key counts. */
  set(keySent: string, valueSent: unknown): void {
    if (valueSent === undefined || valueSent === null) return;
    const key = this.#safe(cutText(keySent, ATTRIBUTE_KEY_CHARS_MAX));
    const value = this.#valueOf(valueSent);
    if (value === null || !this.#hasRoom(key, value)) {
      this.#drop();
      return;
    }
    this.#charsLeft -= charsOf(key, value);
    this.#values.set(key, value);
  }

  setMissing(key: string, value: unknown): void {
    if (!this.#values.has(key)) this.set(key, value);
  }

  /** The fields of an object that has plain values, as `data` and `tags` of spans. */
  addPlain(sent: unknown): void {
    if (!isSource(sent)) return;
    for (const [key, value] of Object.entries(sent)) this.setMissing(key, value);
  }

  /**
   * The fields of `{key: {type, value}}`. A value that its type does not allow is dropped, as in the reference; numbers
   * and booleans written as text are read. Source: relay-event-normalization/src/eap/mod.rs.
   */
  addTyped(sent: unknown): void {
    if (!isSource(sent)) return;
    for (const [key, attribute] of Object.entries(sent)) {
      if (!isSource(attribute) || !('value' in attribute)) {
        if (isSource(attribute)) this.#drop();
        else this.set(key, attribute);
        continue;
      }
      if (attribute.value === null) continue;
      const value = typedValue(attribute.type, attribute.value);
      if (value === undefined) this.#drop();
      else this.set(key, value);
    }
  }

  toRecord(): Attributes {
    if (this.#dropped > 0) this.#values.set(DROPPED_ATTRIBUTES, this.#dropped);
    return Object.fromEntries(this.#values);
  }

  #hasRoom(key: string, value: AttributeValue): boolean {
    if (key === '' || key === '__proto__' || charsOf(key, value) > this.#charsLeft) return false;
    return this.#values.has(key) || this.#values.size < ATTRIBUTES_MAX;
  }

  #valueOf(value: unknown): AttributeValue | null {
    switch (typeof value) {
      case 'string':
        return this.#safe(cutText(value, ATTRIBUTE_VALUE_CHARS_MAX));
      case 'number':
        return Number.isFinite(value) ? value : null;
      case 'boolean':
        return value;
      case 'object': {
        const copy = boundedJson(value, ATTRIBUTE_JSON_LIMITS, this.#unsafeText).value;
        return cutText(JSON.stringify(copy), ATTRIBUTE_VALUE_CHARS_MAX);
      }
      default:
        return null;
    }
  }

  #safe(text: string): string {
    return this.#unsafeText ? toSafeText(text) : text;
  }

  #drop(): void {
    this.#dropped += 1;
  }
}

const charsOf = (key: string, value: AttributeValue): number =>
  key.length + (typeof value === 'string' ? value.length : 8);

/** What a scrubber gave back, with only values that attributes may have. */
export const attributesOf = (value: unknown): Attributes =>
  isSource(value)
    ? Object.fromEntries(
        Object.entries(value).filter(
          (entry): entry is [string, AttributeValue] =>
            entry[0] !== '__proto__' &&
            (typeof entry[1] === 'string' ||
              typeof entry[1] === 'boolean' ||
              (typeof entry[1] === 'number' && Number.isFinite(entry[1]))),
        ),
      )
    : {};

/** The value of the first of these keys that has one, as text. */
export function attributeText(attributes: Attributes, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(attributes, key) ? attributes[key] : undefined;
    if (value !== undefined && value !== '') return String(value);
  }
  return undefined;
}

/** undefined when the type does not allow it. */
function typedValue(type: unknown, value: unknown): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'object' ? undefined : String(value);
    case 'integer':
      return integerOf(value);
    case 'double':
      return typeof value === 'string' && value.trim() !== '' ? finite(Number(value)) : finite(value);
    case 'boolean':
      if (value === 'true' || value === 'false') return value === 'true';
      return typeof value === 'boolean' ? value : undefined;
    default:
      return value;
  }
}

const finite = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

/** Integers that a number cannot hold stay text. */
function integerOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value !== 'string' || !/^-?\d{1,20}$/.test(value)) return undefined;
  return Number.isSafeInteger(Number(value)) ? Number(value) : value;
}
