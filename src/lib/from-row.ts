/** Columns that hold a time, by the names that the product has for them. */
type TimeName = `${string}At` | `${string}Until` | 'firstSeen' | 'lastSeen';

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : '';

type AsDate<Value> = Value extends number ? Date : Value;

/** The row that `fromRow` reads as the type: columns in snake case, times as dates. */
export type RowOf<Type> = {
  [Name in keyof Type as Snake<Name & string>]: Name extends TimeName ? AsDate<Type[Name]> : Type[Name];
};

/** A row as the product knows it: names in camel case, dates as milliseconds since the epoch. */
export function fromRow<Type>(row: RowOf<Type>): Type {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value instanceof Date ? value.getTime() : value,
    ]),
  ) as Type;
}
