/** A page's data did not come: the server answered an error, or nothing. */
export class RouteLoadError extends Error {
  override readonly name = 'RouteLoadError';

  /** `status` is null when there was no answer. */
  constructor(path: string, status: number | null, options?: ErrorOptions) {
    super(`The page ${path} could not be loaded: ${describe(status)}`, options);
  }
}

/** Another page was opened before this one had come. Nobody's mistake: it is not reported. */
export class RouteCancelledError extends Error {
  override readonly name = 'RouteCancelledError';

  constructor(path: string, options?: ErrorOptions) {
    super(`Opening ${path} was canceled`, options);
  }
}

/** What a part of a page asked for did not come. */
export class DataLoadError extends Error {
  override readonly name = 'DataLoadError';
  /** null when there was no answer. */
  readonly status: number | null;
  /** What the server said to it, for people; null when it said nothing. */
  readonly detail: string | null;

  constructor(path: string, status: number | null, options?: ErrorOptions & { detail?: string | null }) {
    super(`${path} could not be loaded: ${describe(status)}`, options);
    this.status = status;
    this.detail = options?.detail ?? null;
  }
}

/** A script of the app is missing: mostly a page of an earlier version after an update. */
export class ScriptLoadError extends Error {
  override readonly name = 'ScriptLoadError';
  readonly file: string;

  constructor(file: string) {
    super(`The script ${file} could not be loaded`);
    this.file = file;
  }
}

export class StylesheetLoadError extends Error {
  override readonly name = 'StylesheetLoadError';
  readonly file: string;

  constructor(file: string) {
    super(`The style sheet ${file} could not be loaded`);
    this.file = file;
  }
}

/** Whether an error only says that somebody went on before an answer came. */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'RouteCancelledError' || error.name === 'AbortError');
}

const describe = (status: number | null): string =>
  status === null ? 'the server is not responding' : `the server responded with ${status}`;
