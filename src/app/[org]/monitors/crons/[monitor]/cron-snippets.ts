import { parseDsn } from '#protocol/dsn.ts';

type Snippet = { title: string; text: string };

const NO_DSN = 'YOUR_DSN';

/** How a job checks in: by plain addresses, and with SDKs that send the schedule along. */
export function cronSnippets({
  slug,
  dsn,
  crontab,
}: {
  slug: string;
  dsn: string | null;
  crontab: string | null;
}): readonly Snippet[] {
  const parts = dsn === null ? null : parseDsn(dsn);
  const address = parts
    ? `${parts.baseUrl}/api/${parts.projectId}/cron/${slug}/${parts.publicKey}/`
    : `https://YOUR_HOST/api/PROJECT_ID/cron/${slug}/PUBLIC_KEY/`;
  const schedule = crontab ?? '0 3 * * *';
  return [
    {
      title: 'curl, once the job is done',
      text: `./your-job.sh && curl -fsS "${address}?status=ok" || curl -fsS "${address}?status=error"`,
    },
    {
      title: 'curl, at the start and the end',
      text: [
        `CHECK_IN="${address}"`,
        'ID=$(cat /proc/sys/kernel/random/uuid)',
        'curl -fsS "$CHECK_IN?status=in_progress&check_in_id=$ID"',
        './your-job.sh && STATUS=ok || STATUS=error',
        'curl -fsS "$CHECK_IN?status=$STATUS&check_in_id=$ID"',
      ].join('\n'),
    },
    {
      title: 'JavaScript',
      text: [
        "import * as Sentry from '@sentry/node';",
        '',
        `Sentry.init({ dsn: '${dsn ?? NO_DSN}' });`,
        '',
        `await Sentry.withMonitor('${slug}', () => runYourJob(), {`,
        `  schedule: { type: 'crontab', value: '${schedule}' },`,
        '  checkinMargin: 1,',
        '  maxRuntime: 30,',
        '});',
        'await Sentry.flush();',
      ].join('\n'),
    },
    {
      title: 'Python',
      text: [
        'import sentry_sdk',
        'from sentry_sdk.crons import monitor',
        '',
        `sentry_sdk.init(dsn="${dsn ?? NO_DSN}")`,
        '',
        '@monitor(',
        `    monitor_slug="${slug}",`,
        `    monitor_config={"schedule": {"type": "crontab", "value": "${schedule}"}, "timezone": "UTC"},`,
        ')',
        'def run_your_job():',
        '    ...',
      ].join('\n'),
    },
    {
      title: 'sentry-cli',
      text: [
        `export SENTRY_DSN="${dsn ?? NO_DSN}"`,
        `sentry-cli monitors run --schedule "${schedule}" ${slug} -- ./your-job.sh`,
      ].join('\n'),
    },
  ];
}
