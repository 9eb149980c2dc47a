/** What JSON holds, as far as it is known. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): JsonObject | undefined => (isJsonObject(value) ? value : undefined);

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects among them. */
export const objectsOf = (value: unknown): readonly JsonObject[] => arrayOf(value).filter(isJsonObject);

/** Without fields that say nothing. */
export const withoutNull = (value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null && each !== undefined));
