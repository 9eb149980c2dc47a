// Runs a job that succeeds and one that fails, each as a monitor of its own, as a cron script would.
import * as Sentry from '@sentry/node';

Sentry.init({ dsn: process.env.SENTRY_DSN, environment: 'production', tracesSampleRate: 1 });

const config = {
  schedule: { type: 'crontab', value: '0 3 * * *' },
  timezone: 'Europe/Vienna',
  checkinMargin: 5,
  maxRuntime: 10,
  failureIssueThreshold: 1,
  recoveryThreshold: 1,
};

await Sentry.withMonitor(
  process.env.GOOD_MONITOR,
  () => new Promise((resolve) => setTimeout(resolve, 50)),
  config,
);
await Sentry.withMonitor(
  process.env.BAD_MONITOR,
  async () => {
    throw new Error('The disk is full');
  },
  config,
).catch(() => {});
// As from a job of a language without a wrapper: the end names the begin.
const checkInId = Sentry.captureCheckIn({ monitorSlug: process.env.HAND_MONITOR, status: 'in_progress' });
Sentry.captureCheckIn({ checkInId, monitorSlug: process.env.HAND_MONITOR, status: 'ok', duration: 1.5 });
process.exitCode = (await Sentry.flush(10_000)) ? 0 : 1;
