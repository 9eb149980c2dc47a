import { isSource } from '../normalize/field-reader.ts';

/** Values within values; what lies deeper is left out. */
const DEPTH_MAX = 8;

/** An OTLP value (`{stringValue: …}`) as plain JSON; undefined when it has none. Numbers that are too large stay text. */
export function plainOfOtlpValue(value: unknown, depth = 0): unknown {
  if (!isSource(value) || depth > DEPTH_MAX) return undefined;
  if (typeof value.stringValue === 'string') return value.stringValue;
  if (typeof value.boolValue === 'boolean') return value.boolValue;
  if (value.intValue !== undefined) return integerOf(value.intValue);
  if (typeof value.doubleValue === 'number') return value.doubleValue;
  if (typeof value.bytesValue === 'string') return value.bytesValue;
  if (isSource(value.arrayValue)) {
    return listOf(value.arrayValue.values).map((each) => plainOfOtlpValue(each, depth + 1) ?? null);
  }
  if (isSource(value.kvlistValue)) {
    return Object.fromEntries(plainEntries(value.kvlistValue.values, depth + 1));
  }
  return undefined;
}

/** The pairs of an OTLP attribute list that have a key and a value. */
export const plainEntries = (attributes: unknown, depth = 0): [string, unknown][] =>
  listOf(attributes).flatMap((pair): [string, unknown][] => {
    if (!isSource(pair) || typeof pair.key !== 'string') return [];
    const value = plainOfOtlpValue(pair.value, depth);
    return value === undefined ? [] : [[pair.key, value]];
  });

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function integerOf(sent: unknown): number | string | undefined {
  if (typeof sent === 'number') return sent;
  if (typeof sent !== 'string' || !/^-?\d{1,20}$/.test(sent)) return undefined;
  return Number.isSafeInteger(Number(sent)) ? Number(sent) : sent;
}
