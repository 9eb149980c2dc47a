import type { Instrumentation } from 'next';
import { createLog } from '#lib/log.ts';
import { getServices } from '#product/services.ts';
import { digestOf } from './error-words.ts';
import type { startServerReporter } from './server-reporter.ts';
import { stripAddress } from './strip-secrets.ts';

type Report = ReturnType<typeof startServerReporter>;

const log = createLog('web');
let reporter: Promise<Report> | null = null;

/** Writes the error with its digest to the log, and sends it to the instance's own project when there is one. */
export const reportRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  log.error(
    {
      digest: digestOf(error),
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      method: request.method,
      path: stripAddress(request.path),
      route: context.routePath,
      kind: context.routeType,
    },
    'A page or action failed',
  );
  if (isForeignAction(error)) return;
  try {
    const report = await findReporter();
    report?.(error, request, context);
  } catch (failure) {
    log.warn({ error: String(failure) }, 'The error could not be reported to the own project');
  }
};

/** A page of another origin tried an action and was refused. Anybody can send that, so it makes no events. */
const isForeignAction = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Invalid Server Actions request.';

/** The SDK is loaded with the first error: a process that has none does not pay for it. */
async function findReporter(): Promise<Report | null> {
  const { findSelfReporting, publicUrl } = getServices();
  const target = await findSelfReporting();
  if (!target) return null;
  reporter ??= import('./server-reporter.ts').then(({ startServerReporter }) =>
    startServerReporter(target, publicUrl),
  );
  return reporter;
}
