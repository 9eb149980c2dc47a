import type { KeyValue } from '#ui/key-values.tsx';
import { DataValue } from './data-value.tsx';

/** An object of an event as rows of names and values. */
export function dataRows(data: Readonly<Record<string, unknown>>): KeyValue[] {
  return Object.entries(data).map(([name, value]) => ({
    key: name,
    name,
    value: <DataValue value={value} />,
  }));
}

/** Pairs as rows; names may repeat, as headers do. */
export function pairRows(pairs: readonly (readonly [string, string])[]): KeyValue[] {
  return pairs.map(([name, value], index) => ({
    key: `${index} ${name}`,
    name,
    value: <DataValue value={value} />,
  }));
}
