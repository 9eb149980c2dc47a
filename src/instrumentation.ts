import type { Instrumentation } from 'next';

/** Pages, route handlers and server actions: the framework calls this for each error that reaches it. */
export const onRequestError: Instrumentation.onRequestError = async (error, request, context) => {
  // The framework compiles this file for its edge runtime too, where the reporter of Node does not exist.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    const { reportRequestError } = await import('#app/error-reporting/report-request-error.ts');
    await reportRequestError(error, request, context);
  }
};
