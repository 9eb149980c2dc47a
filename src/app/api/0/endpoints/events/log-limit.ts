import { PAGE, type Parameter } from '#app/api/0/query.ts';

/** What `sentry-cli logs list` asks for at most. */
const LOG_ROWS_MAX = 1_000;
const LOG_ROWS_DEFAULT = 50;

/** Rows of a page of logs, which are read a thousand at a time. */
export const LOG_LIMIT: Parameter<number> = {
  schema: PAGE.limit.schema,
  read(searchParams) {
    const text = searchParams.get('per_page') ?? searchParams.get('limit') ?? '';
    if (text === '') return LOG_ROWS_DEFAULT;
    return /^\d{1,9}$/.test(text) && Number(text) > 0
      ? Math.min(Number(text), LOG_ROWS_MAX)
      : PAGE.limit.read(searchParams);
  },
};
