/** An error that happened before the reporter was there. */
type HeldError = { error: unknown; type: string; isHandled: boolean; atMs: number };

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

/** What the inline script below has seen, oldest first. */
type EarlyErrors = { errataEarlyErrors?: Event[] };

/**
 * Runs in the page before any other script: keeps up to 20 errors until `takeEarlyErrors` is called, which removes
 * the list and so ends the keeping. Files of the app that are missing are among them.
 */
export const EARLY_ERRORS_SCRIPT = `(function(w){w.errataEarlyErrors=[];function keep(e){var q=w.errataEarlyErrors;if(q&&q.length<20)q.push(e)}w.addEventListener('error',keep,true);w.addEventListener('unhandledrejection',keep)})(window)`;

/** The kept events; from then on the caller has to listen itself. */
export function takeEarlyErrors(): readonly Event[] {
  const holder = window as Window & EarlyErrors;
  const kept = holder.errataEarlyErrors ?? [];
  delete holder.errataEarlyErrors;
  return kept;
}
