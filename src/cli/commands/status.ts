import { z } from 'zod';
import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { fetchLocal } from '#cli/fetch-local.ts';
import { JSON_OPTION } from '#cli/options.ts';
import { withConnection } from '#cli/with-connection.ts';
import { unavailable } from '#lib/errors.ts';

/** The body of `/health/ready`; without the token of the server it has no checks. */
const HEALTH = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })).optional(),
});

export const status: CliCommand = {
  name: 'status',
  positionals: [],
  options: { json: JSON_OPTION },
  summary: 'Print the health of each part of the running server; 1 when it is not ready',
  run: (input, deps) =>
    withConnection(deps, async ({ localUrl, metricsToken }) => {
      const url = `${localUrl}/health/ready`;
      const headers: HeadersInit = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` };
      const response = await fetchLocal(url, { headers });
      const health = HEALTH.safeParse(await response.json().catch(() => null));
      if (!health.success)
        throw unavailable(`What answers at ${url} is not Errata: check ERRATA_URL and PORT`);
      if (input.isSet('json')) deps.io.out(JSON.stringify(health.data));
      else for (const line of describeHealth(health.data)) deps.io.out(line);
      return response.ok ? EXIT.done : EXIT.failed;
    }),
};

function describeHealth({ status: summary, checks }: z.infer<typeof HEALTH>): readonly string[] {
  if (!checks) return [summary, "Set ERRATA_METRICS_TOKEN to the server's token to see each check"];
  const nameWidth = Math.max(...Object.keys(checks).map((name) => name.length), 0);
  return Object.entries(checks).map(([name, { ok, detail }]) =>
    `${ok ? 'ok    ' : 'failed'}  ${name.padEnd(nameWidth)}  ${detail}`.trimEnd(),
  );
}
