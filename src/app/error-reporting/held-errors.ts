/** An error that happened before the reporter was there. */
export type HeldError = { error: unknown; type: string; isHandled: boolean; atMs: number };

const HELD_ERRORS_MAX = 20;
const held: HeldError[] = [];
let reporter: ((error: HeldError) => void) | null = null;

/** Reports an error of the browser: at once when the reporter is loaded, else as soon as it is. */
export function reportError(error: unknown, type = 'generic', isHandled = true): void {
  const entry: HeldError = { error, type, isHandled, atMs: Date.now() };
  if (reporter) reporter(entry);
  else if (held.length < HELD_ERRORS_MAX) held.push(entry);
}

/** Hands over what was held, oldest first, and all that follows. */
export function connectReporter(report: (error: HeldError) => void): void {
  reporter = report;
  for (const entry of held.splice(0)) report(entry);
}
