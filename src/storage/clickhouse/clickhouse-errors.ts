import { isErrataError, unavailable } from '#lib/errors.ts';

/** ErrataError `unavailable` for whatever says that the server is away or overloaded; everything else unchanged. */
export function translateClickhouseError(error: unknown): unknown {
  if (isErrataError(error) || !isAway(error)) return error;
  const { message } = error as Error;
  return unavailable(
    `ClickHouse is unavailable (${message.slice(0, MESSAGE_CHARACTERS_MAX)}): check that it is running and that its URL and password are correct`,
    error,
  );
}

/** As `translateClickhouseError`, of a cluster: a server that was added to it has no tables until the next start. */
export function translateClusterError(error: unknown): unknown {
  const translated = translateClickhouseError(error);
  if (!(error instanceof Error) || !NO_SCHEMA_TYPES.has((error as { type?: unknown }).type))
    return translated;
  return unavailable(
    `A server of the ClickHouse cluster has no tables yet (${error.message.slice(0, MESSAGE_CHARACTERS_MAX)}): restart Errata, which makes them`,
    error,
  );
}
const NO_SCHEMA_TYPES: ReadonlySet<unknown> = new Set(['UNKNOWN_TABLE', 'UNKNOWN_DATABASE']);

/** Characters of a server error that are reported. */
const MESSAGE_CHARACTERS_MAX = 500;

/** Names of https://github.com/ClickHouse/ClickHouse/blob/master/src/Common/ErrorCodes.cpp */
const AWAY_TYPES: ReadonlySet<unknown> = new Set([
  'TIMEOUT_EXCEEDED',
  'SOCKET_TIMEOUT',
  'NETWORK_ERROR',
  'MEMORY_LIMIT_EXCEEDED',
  'CANNOT_ALLOCATE_MEMORY',
  'TOO_MANY_SIMULTANEOUS_QUERIES',
  'TOO_MANY_PARTS',
  'TOO_SLOW',
  'NOT_ENOUGH_SPACE',
  'CANNOT_SCHEDULE_TASK',
  'SERVER_OVERLOADED',
  'TABLE_IS_READ_ONLY',
  'ABORTED',
  'QUERY_WAS_CANCELLED',
  'KEEPER_EXCEPTION',
  'ALL_CONNECTION_TRIES_FAILED',
  'AUTHENTICATION_FAILED',
  'CANNOT_WRITE_TO_FILE_DESCRIPTOR',
  'CANNOT_FSYNC',
]);

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
]);

/** Whether the server gave a statement up since everything together needs too much, and not the statement itself. */
export const isShortOfMemory = (error: unknown): boolean =>
  error instanceof Error &&
  (error as { type?: unknown }).type === 'MEMORY_LIMIT_EXCEEDED' &&
  error.message.includes('(total)');

function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, type } = error as { code?: unknown; type?: unknown };
  if (AWAY_TYPES.has(type) || AWAY_NODE_CODES.has(code)) return true;
  if (error instanceof AggregateError) return error.errors.some(isAway);
  return /^(Timeout error|socket hang up|Request error|The user aborted a request|Bad Gateway|Service Unavailable)/i.test(
    error.message,
  );
}
