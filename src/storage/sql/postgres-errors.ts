import { ErrataError, isErrataError, unavailable } from '#lib/errors.ts';

/**
 * Makes the method throw ErrataError `unavailable` for whatever says that the server is away or overloaded, and `invalid`
 * for text that PostgreSQL cannot keep, so that callers tell them from a defect. Everything else passes unchanged. Promises and callbacks are served alike. `onError`
 * sees every error before.
 */
export function translatePostgresErrors(
  target: object,
  method: string,
  onError: (error: unknown) => void = () => {},
): void {
  const see = (error: unknown) => {
    onError(error);
    return translate(error);
  };
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  const original = methods[method]!.bind(target);
  methods[method] = (...args) => {
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      return original(...args.slice(0, -1), (error: unknown, ...rest: unknown[]) =>
        callback(error ? see(error) : error, ...rest),
      );
    }
    const result = original(...args);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      throw see(error);
    });
  };
}

/** Whether a row was refused because another one has the same value; names of constraints narrow it down. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const { code, constraint: violated } = error as { code?: unknown; constraint?: unknown };
  return code === '23505' && (constraint === undefined || violated === constraint);
}

/** Throws `refusal` when a row is refused for the constraint, or for any when it is null. */
export async function refuseTaken<Result>(
  constraint: string | null,
  refusal: () => Error,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw isUniqueViolation(error, constraint ?? undefined) ? refusal() : error;
  }
}

/** Whether a row was refused because the row that it belongs to does not exist. */
export const isForeignKeyViolation = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '23503';

/** Whether the client gave up waiting: an answer may still come, to nobody. */
export const isAnswerTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

function translate(error: unknown): unknown {
  if (isErrataError(error)) return error;
  if (isUnstorableText(error)) {
    const message = 'The text contains the character U+0000 or an unpaired surrogate: remove it';
    return new ErrataError('invalid', message, { cause: error });
  }
  if (!isAway(error)) return error;
  const { message } = error as Error;
  if (POOLER_MESSAGE.test(message)) {
    return unavailable(
      `A pooler answers instead of PostgreSQL (${message}): set DATABASE_DIRECT_URL to the database without the pooler, see docs/scale.md`,
      error,
    );
  }
  return unavailable(
    `PostgreSQL is unavailable (${message}): check that it is running and that its URL and password are correct`,
    error,
  );
}

/** `character_not_in_repertoire`; `untranslatable_character`, of JSON with U+0000. */
const UNSTORABLE_SQLSTATES: ReadonlySet<unknown> = new Set(['22021', '22P05']);

/** JSON that the program wrote is refused for one reason: half of a surrogate pair. */
function isUnstorableText(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return (
    UNSTORABLE_SQLSTATES.has(code) || (code === '22P02' && message === 'invalid input syntax for type json')
  );
}

/**
 * Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html: connection, resources, operator
 * intervention, and the conflicts between transactions that another try solves.
 */
const AWAY_SQLSTATE = /^(08...|53...|57...|58...|40001|40P01|55P03|25006|28P01|28000|3D000)$/;
const AWAY_NODE_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ECONNABORTED',
  'ENOENT',
]);
const AWAY_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout (expired|exceeded)|Client has encountered a connection error|The server does not support|Client was closed|Cannot use a pool after)/;

/** PgBouncer takes few settings of a session. */
const POOLER_MESSAGE = /^unsupported startup parameter/;

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && AWAY_SQLSTATE.test(code)) return true;
  if (AWAY_NODE_CODES.has(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return AWAY_MESSAGES.test(error.message);
}
