import { z } from 'zod';
import { isoOfMs, isoOfMsOrNull, isoOfUs } from './shapes/moments.ts';

/**
 * A field of an answer: its schema alone when the row has a field of that name, or the schema with the row's own name
 * for it, or with a function that reads it.
 */
type Field<Row, More extends readonly unknown[]> =
  | z.ZodType
  | readonly [z.ZodType, keyof Row | ((row: Row, ...more: More) => unknown)];

type SchemaOf<F> = F extends z.ZodType
  ? F
  : F extends readonly [infer Schema extends z.ZodType, unknown]
    ? Schema
    : never;

type ValueOf<Row, Name, F> = F extends z.ZodType
  ? Read<Row, Name>
  : F extends readonly [unknown, infer Source]
    ? Source extends (...args: never) => infer Value
      ? Value
      : Read<Row, Source>
    : never;

type Read<Row, Name> = Name extends keyof Row ? Row[Name] : { readonly 'the row has no field': Name };

/** A value that is only read. */
export type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

type Fitting<Row, Fields> = {
  [Name in keyof Fields]: ValueOf<Row, Name, Fields[Name]> extends Frozen<z.input<SchemaOf<Fields[Name]>>>
    ? Fields[Name]
    : { readonly 'does not fit the schema': ValueOf<Row, Name, Fields[Name]> };
};

type Shape<Row, More extends readonly unknown[], Fields> = readonly [
  schema: z.ZodObject<{ -readonly [Name in keyof Fields]: SchemaOf<Fields[Name]> }>,
  serialize: (row: Row, ...more: More) => { [Name in keyof Fields]: ValueOf<Row, Name, Fields[Name]> },
  fields: Fields,
];

/**
 * Declares the fields of an answer once; gives its schema, the function that writes a row so, and the fields, for
 * shapes that have more. `More` are further arguments of the function. Without an `id`, the document has no component
 * for the shape.
 */
export const shapeOf =
  <Row, More extends readonly unknown[] = []>() =>
  <const Fields extends Readonly<Record<string, Field<Row, More>>>>(
    fields: Fields & Fitting<Row, Fields>,
    id?: string,
  ): Shape<Row, More, Fields> => {
    const declared = Object.entries<Field<Row, More>>(fields).map(([name, field]) => {
      const [schema, source] = field instanceof z.ZodType ? [field, name as keyof Row] : field;
      return { name, schema, read: typeof source === 'function' ? source : (row: Row) => row[source] };
    });
    const schema = z.object(Object.fromEntries(declared.map(({ name, schema }) => [name, schema])));
    const serialize = (row: Row, ...more: More) =>
      Object.fromEntries(declared.map(({ name, read }) => [name, read(row, ...more)]));
    return [id === undefined ? schema : schema.meta({ id }), serialize, fields] as unknown as Shape<
      Row,
      More,
      Fields
    >;
  };

/** The same field under several names. */
export const each = <const F, const Name extends string>(
  field: F,
  ...names: readonly Name[]
): Record<Name, F> => Object.fromEntries(names.map((name) => [name, field])) as Record<Name, F>;

/** What is the same in every answer. */
export const always = <S extends z.ZodType, const Value>(schema: S, value: Value) =>
  [schema, () => value] as const;

export const FALSE = always(z.boolean(), false);
export const TRUE = always(z.boolean(), true);
export const NULL = always(z.null(), null);
export const NO_TEXT = always(z.string(), '');
export const ZERO = always(z.number(), 0);
export const EMPTY_LIST = always(z.array(z.unknown()), []);
export const EMPTY_OBJECT = always(z.object({}), {});

type Has<Name extends string, Value> = Readonly<Record<Name, Value>>;

/** A number of the row as text. */
export const idOf = <Name extends string>(name: Name) =>
  [z.string(), (row: Has<Name, number>) => String(row[name])] as const;

/** Milliseconds since the epoch as ISO 8601. */
export const isoMs = <Name extends string>(name: Name) =>
  [z.string(), (row: Has<Name, number>) => isoOfMs(row[name])] as const;

/** Milliseconds since the epoch, or null, as ISO 8601. */
export const isoMsOrNull = <Name extends string>(name: Name) =>
  [z.string().nullable(), (row: Has<Name, number | null>) => isoOfMsOrNull(row[name])] as const;

/** Microseconds since the epoch as ISO 8601. */
export const isoUs = <Name extends string>(name: Name) =>
  [z.string(), (row: Has<Name, number>) => isoOfUs(row[name])] as const;
