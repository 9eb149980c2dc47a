import { z } from 'zod';
import { unavailable } from '#lib/errors.ts';
import { readBackupAge } from '#product/backups/backup-age.ts';
import { type CliCommand, EXIT, JSON_OPTION } from '../cli-command.ts';
import { fetchLocal, withConnection } from '../with-connection.ts';

/** The body of `/health/ready`; without the token of the server it has no checks. */
const HEALTH = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })).optional(),
});

export const status: CliCommand = {
  name: 'status',
  positionals: [],
  options: { json: JSON_OPTION },
  summary: 'Print the health of each part of the running server; exit with 1 if it is not ready',
  async run(input, deps) {
    const upgrade = deps.upgrades.describeRunning();
    if (upgrade !== null) {
      const health = { status: 'upgrading', checks: { upgrade: { ok: false, detail: upgrade } } };
      if (input.isSet('json')) deps.io.out(JSON.stringify(health));
      else deps.io.out(`upgrading  ${upgrade}`);
      return EXIT.failed;
    }
    return await withConnection(deps, async ({ localUrl, metricsToken, stores, now }) => {
      const url = `${localUrl}/health/ready`;
      const headers: HeadersInit = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` };
      const response = await fetchLocal(url, { headers });
      const health = HEALTH.safeParse(await response.json().catch(() => null));
      if (!health.success) throw unavailable(`The server at ${url} is not Errata: check ERRATA_URL and PORT`);
      if (input.isSet('json')) deps.io.out(JSON.stringify(health.data));
      else {
        for (const line of describeHealth(health.data)) deps.io.out(line);
        const { level, detail } = await readBackupAge(stores.backups, now());
        deps.io.out(
          `${level === 'ok' ? 'ok    ' : 'late  '}  ${'backups'.padEnd(NAME_WIDTH_MIN)}  ${detail}`,
        );
      }
      return response.ok ? EXIT.done : EXIT.failed;
    });
  },
};

/** Of the longest part that is known. */
const NAME_WIDTH_MIN = 'clickhouse'.length;

function describeHealth({ status: summary, checks }: z.infer<typeof HEALTH>): readonly string[] {
  if (!checks) return [summary, "Set ERRATA_METRICS_TOKEN to the server's token to see each check"];
  const nameWidth = Math.max(...Object.keys(checks).map((name) => name.length), NAME_WIDTH_MIN);
  return Object.entries(checks).map(([name, { ok, detail }]) =>
    `${ok ? 'ok    ' : 'failed'}  ${name.padEnd(nameWidth)}  ${detail}`.trimEnd(),
  );
}

export const configCheck: CliCommand = {
  name: 'config check',
  positionals: [],
  options: {},
  summary: 'Check the settings from the environment and .env without starting anything',
  async run(_input, { io, checkConfig }) {
    const { ok, lines } = checkConfig();
    for (const line of lines) (ok ? io.out : io.err)(line);
    return ok ? EXIT.done : EXIT.failed;
  },
};
