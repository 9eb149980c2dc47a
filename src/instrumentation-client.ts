import { REPORTING_CONFIG_ID, type ReportingConfig } from '#app/error-reporting/reporting-config.ts';
import { readDocumentTrace, withTraceHeaders } from '#app/error-reporting/trace-headers.ts';
import { installRouteLoader, loadDocument } from '#ui/navigation/installed-route-loader.ts';
import { createMissingFileListener } from '#ui/navigation/missing-files.ts';
import type { NavigationType } from '#ui/navigation/route-loader.ts';
import { reportError, takeEarlyErrors } from './app/error-reporting/held-errors.ts';

const plainFetch = window.fetch.bind(window);
const trace = readDocumentTrace(
  (name) => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null,
);
const routes = installRouteLoader(
  trace ? withTraceHeaders(plainFetch, trace, location.origin) : plainFetch,
  (error) => reportError(error, 'auto.navigation.route'),
);

/** The framework calls this at the start of each client navigation. */
export function onRouterTransitionStart(href: string, type: NavigationType): void {
  routes.startNavigation(new URL(href, location.href).href, type);
}

const onMissingFile = createMissingFileListener({
  origin: location.origin,
  storage: () => sessionStorage,
  now: Date.now,
  reload: () => loadDocument(routes.destination() ?? location.href, 'push'),
  report: (error) => reportError(error, 'auto.navigation.file'),
});

function hold(event: Event): void {
  if (event instanceof PromiseRejectionEvent) holdRejection(event);
  else if (event instanceof ErrorEvent) holdError(event);
  else onMissingFile(event);
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

// The reporter is a sixth of the app's script: it is loaded when the page answers to its reader, and until then
// these two listeners hold what goes wrong.
async function startReporter(): Promise<void> {
  const config = readConfig();
  if (!config) return;
  const { startBrowserReporter } = await import('#app/error-reporting/browser-reporter.ts');
  startBrowserReporter(config, plainFetch, trace);
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
// Errors of files do not bubble.
window.addEventListener('error', onMissingFile, { capture: true });
if (document.readyState === 'complete') onLoaded();
else window.addEventListener('load', onLoaded, { once: true });
