/** The value of a key that somebody chose; undefined for what the record has not itself, such as `constructor`. */
export const ownValue = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
