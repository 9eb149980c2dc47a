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
