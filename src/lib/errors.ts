/** Error codes, mapped to HTTP in one place. Check `code`, not `instanceof`: bundles have their own copy. */
const ERROR_CODES = [
  'invalid',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'rate_limited',
  'unavailable',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export class ErrataError extends Error {
  readonly code: ErrorCode;
  /** Seconds after which another try makes sense; null when it does not. */
  readonly retryAfterSeconds: number | null;
  /** Name of the input field that is wrong; null when it is none. */
  readonly field: string | null;
  /** What was asked for may have been done, or may be done later, all the same. */
  readonly isUndecided: boolean;

  constructor(
    code: ErrorCode,
    message: string,
    options: { retryAfterSeconds?: number; field?: string; isUndecided?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ErrataError';
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.field = options.field ?? null;
    this.isUndecided = options.isUndecided ?? false;
  }
}

export const invalid = (message: string, field?: string) => new ErrataError('invalid', message, { field });
export const notFound = (message: string) => new ErrataError('not_found', message);
export const forbidden = (message: string) => new ErrataError('forbidden', message);
export const conflict = (message: string, field?: string) => new ErrataError('conflict', message, { field });
export const unauthorized = (message: string) => new ErrataError('unauthorized', message);
/** `seconds`: from when on another try may succeed. */
export const tooManyRequests = (seconds: number) =>
  new ErrataError('rate_limited', `Too many requests: wait ${Math.ceil(seconds / 60)} min and try again`, {
    retryAfterSeconds: seconds,
  });
export const unavailable = (message: string, cause?: unknown) =>
  new ErrataError('unavailable', message, { retryAfterSeconds: 5, cause });
/** As `unavailable`, where what was asked for may be done all the same. */
export const undecided = (message: string, cause?: unknown) =>
  new ErrataError('unavailable', message, { retryAfterSeconds: 5, isUndecided: true, cause });

/** What was thrown, which need not be an Error, in words. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function isErrataError(error: unknown): error is ErrataError {
  return error instanceof Error && error.name === 'ErrataError' && 'code' in error;
}

const STATUS: Record<ErrorCode, number> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  rate_limited: 429,
  unavailable: 503,
};

export const httpStatus = (code: ErrorCode): number => STATUS[code];
