import type { Attributes, AttributeValue } from '#protocol/telemetry.ts';

/** A row as it is inserted or read: column by column. */
export type Cells = Record<string, unknown>;

/** How one field of a row lies in its column or columns. */
export type Column<Value> = {
  /** What is selected, under names that change no column's meaning in the rest of the statement. */
  select: string;
  write(value: Value, cells: Cells): void;
  read(cells: Readonly<Cells>): Value;
};

/** Below, integers would be read as seconds: https://clickhouse.com/docs/sql-reference/data-types/datetime64 */
const FIRST_MS = Date.UTC(2001, 8, 10);
/** The end of what the columns can hold. */
const LAST_MS = Date.UTC(2261, 0, 1);

export const text = <Value extends string = string>(name: string): Column<Value> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value.toWellFormed();
  },
  read: (cells) => cells[name] as Value,
});

/** Empty for null. */
export const nullableText = (name: string): Column<string | null> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value === null ? '' : value.toWellFormed();
  },
  read: (cells) => (cells[name] as string) || null,
});

/** Whole, from zero up to the largest integer that a number holds exactly. */
export const count = (name: string): Column<number> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = Math.min(Math.max(Math.trunc(value), 0), Number.MAX_SAFE_INTEGER);
  },
  read: (cells) => cells[name] as number,
});

export const float = (name: string): Column<number> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value;
  },
  read: (cells) => cells[name] as number,
});

export const nullableFloat = (name: string): Column<number | null> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value;
  },
  read: (cells) => cells[name] as number | null,
});

export const flag = (name: string): Column<boolean> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value;
  },
  read: (cells) => cells[name] as boolean,
});

/** Milliseconds since the epoch; what no column holds becomes the nearest that one does. */
export const millis = (name: string): Column<number> => ({
  select: `toUnixTimestamp64Milli(${name}) AS ${name}_ms`,
  write: (value, cells) => {
    cells[name] = Math.min(Math.max(Math.trunc(value), FIRST_MS), LAST_MS);
  },
  read: (cells) => cells[`${name}_ms`] as number,
});

export const nullableMillis = (name: string): Column<number | null> => {
  const column = millis(name);
  return {
    select: column.select,
    write: (value, cells) => {
      if (value === null) cells[name] = null;
      else column.write(value, cells);
    },
    read: (cells) => cells[`${name}_ms`] as number | null,
  };
};

/** Microseconds since the epoch, as `millis`. */
export const micros = (name: string): Column<number> => ({
  select: `toUnixTimestamp64Micro(${name}) AS ${name}_us`,
  write: (value, cells) => {
    cells[name] = Math.min(Math.max(Math.trunc(value), FIRST_MS * 1_000), LAST_MS * 1_000);
  },
  read: (cells) => cells[`${name}_us`] as number,
});

export const texts = (name: string): Column<readonly string[]> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value.map((each) => each.toWellFormed());
  },
  read: (cells) => cells[name] as readonly string[],
});

export const json = <Value>(name: string): Column<Value> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = JSON.stringify(value);
  },
  read: (cells) => JSON.parse(cells[name] as string) as Value,
});

/** Empty for null. */
export const nullableJson = <Value>(name: string): Column<Value | null> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = value === null ? '' : JSON.stringify(value);
  },
  read: (cells) => (cells[name] === '' ? null : (JSON.parse(cells[name] as string) as Value)),
});

/** In their order. */
export const pairs = (name: string): Column<readonly (readonly [string, string])[]> => ({
  select: `mapKeys(${name}) AS ${name}_keys, mapValues(${name}) AS ${name}_values`,
  write: (value, cells) => {
    cells[name] = Object.fromEntries(value.map(([key, each]) => [key.toWellFormed(), each.toWellFormed()]));
  },
  read: (cells) => {
    const values = cells[`${name}_values`] as readonly string[];
    return (cells[`${name}_keys`] as readonly string[]).map(
      (key, index) => [key, values[index] ?? ''] as const,
    );
  },
});

/** What is no number is left out. */
export const numbers = (name: string): Column<Readonly<Record<string, number>>> => ({
  select: name,
  write: (value, cells) => {
    cells[name] = Object.fromEntries(
      Object.entries(value)
        .filter(([, each]) => Number.isFinite(each))
        .map(([key, each]) => [key.toWellFormed(), each]),
    );
  },
  read: (cells) => cells[name] as Record<string, number>,
});

/** One map for each type of value: `<name>_text`, `<name>_number`, `<name>_flag`. */
export const attributes = (name: string): Column<Attributes> => ({
  select: `${name}_text, ${name}_number, ${name}_flag`,
  write: (value, cells) => {
    const maps = { text: {}, number: {}, flag: {} };
    for (const key in value) {
      const each = value[key]!;
      if (typeof each === 'string') put(maps.text, key, each.toWellFormed());
      else if (typeof each === 'boolean') put(maps.flag, key, each);
      else if (Number.isFinite(each)) put(maps.number, key, each);
      else put(maps.text, key, String(each));
    }
    cells[`${name}_text`] = maps.text;
    cells[`${name}_number`] = maps.number;
    cells[`${name}_flag`] = maps.flag;
  },
  read: (cells) => ({
    ...(cells[`${name}_text`] as Record<string, string>),
    ...(cells[`${name}_number`] as Record<string, number>),
    ...(cells[`${name}_flag`] as Record<string, boolean>),
  }),
});

function put(map: Record<string, AttributeValue>, key: string, value: AttributeValue): void {
  const name = key.toWellFormed();
  // Assigned, it would be the map's prototype.
  if (name === '__proto__') {
    Object.defineProperty(map, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    map[name] = value;
  }
}

/** `traceId` → `trace_id`, by field. */
export const columnNames = <Field extends string>(...fields: readonly Field[]): Record<Field, string> =>
  Object.fromEntries(
    fields.map((field) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]),
  ) as Record<Field, string>;

/** Fields of one type, each in the column of its name. */
export const columns = <Value, Field extends string>(
  column: (name: string) => Column<Value>,
  ...fields: readonly Field[]
): Record<Field, Column<Value>> => {
  const names = columnNames(...fields);
  return Object.fromEntries(fields.map((field) => [field, column(names[field])])) as Record<
    Field,
    Column<Value>
  >;
};

/** The fields of a record, each in a column of its own. */
export function record<Value extends object>(
  columns: {
    [Field in keyof Value]: Column<Value[Field]>;
  },
): Column<Value> {
  const entries = Object.entries(columns) as [keyof Value, Column<Value[keyof Value]>][];
  return {
    select: entries.map(([, column]) => column.select).join(', '),
    write: (value, cells) => {
      for (const [field, column] of entries) column.write(value[field], cells);
    },
    read: (cells) =>
      Object.fromEntries(entries.map(([field, column]) => [field, column.read(cells)])) as Value,
  };
}

/** Who an event or a transaction happened to. */
export const user = record({
  id: nullableText('user_id'),
  email: nullableText('user_email'),
  username: nullableText('user_username'),
  ip: nullableText('user_ip'),
});
