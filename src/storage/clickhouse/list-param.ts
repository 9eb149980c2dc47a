/** A server takes at most 128 KiB in one parameter; our longest value has about 110 characters. */
const VALUES_PER_PARAMETER_MAX = 1_000;

/** Part of a statement, with the values of its parameters. */
export type SqlPart = { sql: string; params: Readonly<Record<string, unknown>> };

/** An array of any length as an expression; it takes as many parameters as it needs. `type` is of one value. */
export function listParam(name: string, type: string, values: readonly unknown[]): SqlPart {
  const params: Record<string, unknown> = {};
  const placeholders: string[] = [];
  for (let start = 0; start === 0 || start < values.length; start += VALUES_PER_PARAMETER_MAX) {
    const part = `${name}${placeholders.length}`;
    params[part] = values.slice(start, start + VALUES_PER_PARAMETER_MAX);
    placeholders.push(`{${part}:Array(${type})}`);
  }
  return {
    sql: placeholders.length === 1 ? placeholders[0]! : `arrayConcat(${placeholders.join(', ')})`,
    params,
  };
}
