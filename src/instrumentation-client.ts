import { takeEarlyErrors } from '#app/error-reporting/early-errors.ts';
import { reportError } from '#app/error-reporting/held-errors.ts';
import { REPORTING_CONFIG_ID, type ReportingConfig } from '#app/error-reporting/reporting-config.ts';

type NavigationListener = (href: string, navigationType: string) => void;
let notifyNavigation: NavigationListener = () => {};

/** The framework calls this at the start of each client navigation. */
export function onRouterTransitionStart(href: string, navigationType: string): void {
  notifyNavigation(href, navigationType);
}

function hold(event: ErrorEvent | PromiseRejectionEvent): void {
  if ('reason' in event) holdRejection(event);
  else holdError(event);
}

function holdError(event: ErrorEvent): void {
  reportError(event.error ?? event.message, 'auto.browser.global_handlers.onerror', false);
}

function holdRejection(event: PromiseRejectionEvent): void {
  reportError(event.reason, 'auto.browser.global_handlers.onunhandledrejection', false);
}

function readConfig(): ReportingConfig | null {
  const text = document.getElementById(REPORTING_CONFIG_ID)?.textContent;
  return text ? (JSON.parse(text) as ReportingConfig) : null;
}

// The reporter is a third of the app's script: it is loaded when the page answers to its reader, and until then
// these two listeners hold what goes wrong.
async function startReporter(): Promise<void> {
  const config = readConfig();
  if (!config) return;
  const { startBrowserReporter } = await import('#app/error-reporting/browser-reporter.ts');
  notifyNavigation = startBrowserReporter(config);
  window.removeEventListener('error', holdError);
  window.removeEventListener('unhandledrejection', holdRejection);
}

const IDLE_TIMEOUT_MS = 4_000;

function whenIdle(work: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: IDLE_TIMEOUT_MS });
  else setTimeout(work, 200);
}

function onLoaded(): void {
  whenIdle(() => void startReporter());
}

for (const event of takeEarlyErrors()) hold(event);
window.addEventListener('error', holdError);
window.addEventListener('unhandledrejection', holdRejection);
if (document.readyState === 'complete') onLoaded();
else window.addEventListener('load', onLoaded, { once: true });
