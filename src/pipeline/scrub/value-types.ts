/**
 * Kinds of values that selectors know by name, as bits: a value may be of several.
 * Source: `ValueType` in relay-event-schema/src/processor/attrs.rs.
 */
export const VALUE_TYPE = {
  string: 1 << 0,
  number: 1 << 1,
  boolean: 1 << 2,
  datetime: 1 << 3,
  array: 1 << 4,
  object: 1 << 5,
  binary: 1 << 6,
  event: 1 << 7,
  attachments: 1 << 8,
  replay: 1 << 9,
  error: 1 << 10,
  stack: 1 << 11,
  frame: 1 << 12,
  request: 1 << 13,
  user: 1 << 14,
  logentry: 1 << 15,
  message: 1 << 16,
  thread: 1 << 17,
  breadcrumb: 1 << 18,
  log: 1 << 19,
  metric: 1 << 20,
  span: 1 << 21,
  sdk: 1 << 22,
  transaction: 1 << 23,
  feedback: 1 << 24,
  profile: 1 << 25,
} as const;

/** Kinds that every JSON value has; they never point at one specific place. */
export const BASIC_TYPES =
  VALUE_TYPE.string |
  VALUE_TYPE.number |
  VALUE_TYPE.boolean |
  VALUE_TYPE.datetime |
  VALUE_TYPE.array |
  VALUE_TYPE.object |
  VALUE_TYPE.binary;

/** Other spellings that selectors may use. */
const ALIASES: Readonly<Record<string, keyof typeof VALUE_TYPE>> = {
  bool: 'boolean',
  list: 'array',
  exception: 'error',
  stacktrace: 'stack',
  http: 'request',
  trace_metric: 'metric',
};

/** The bit of a name as it stands behind `$`; null when there is no such kind. */
export function findValueType(name: string): number | null {
  const canonical = Object.hasOwn(ALIASES, name) ? ALIASES[name] : name;
  return canonical !== undefined && Object.hasOwn(VALUE_TYPE, canonical)
    ? VALUE_TYPE[canonical as keyof typeof VALUE_TYPE]
    : null;
}

export const VALUE_TYPE_NAMES: readonly string[] = [...Object.keys(VALUE_TYPE), ...Object.keys(ALIASES)];
