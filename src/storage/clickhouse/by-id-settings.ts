/**
 * At the end of a statement that looks for an ID in all days, whose bloom filter finds it: to compare the primary key with each
 * granule as well, or to ask the filter granule by granule while rows are read, costs more than the rows do.
 */
export const BY_ID_SETTINGS = 'SETTINGS use_primary_key = 0, use_skip_indexes_on_data_read = 0';

/** Reads a statement without those settings where the server does not know them, which those before 26.1 do not; remembers it. */
export function readingById() {
  let areKnown = true;
  return async <Result>(sql: string, read: (sql: string) => Promise<Result>): Promise<Result> => {
    if (!sql.includes(BY_ID_SETTINGS)) return read(sql);
    if (areKnown) {
      try {
        return await read(sql);
      } catch (error) {
        if ((error as { type?: unknown }).type !== 'UNKNOWN_SETTING') throw error;
        areKnown = false;
      }
    }
    return read(sql.replace(BY_ID_SETTINGS, ''));
  };
}
