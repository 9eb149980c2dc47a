import { z } from 'zod';
import { type CliCommand, EXIT } from '#cli/cli-command.ts';
import { fetchLocal } from '#cli/fetch-local.ts';
import { JSON_OPTION } from '#cli/options.ts';
import { withConnection } from '#cli/with-connection.ts';
import { unavailable } from '#lib/errors.ts';

/** The body of `/health/ready`. */
const HEALTH = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })),
});

export const status: CliCommand = {
  name: 'status',
  positionals: [],
  options: { json: JSON_OPTION },
  summary: 'Print the health of each part of the running server; 1 when it is not ready',
  run: (input, deps) =>
    withConnection(deps, async ({ localUrl }) => {
      const url = `${localUrl}/health/ready`;
      const response = await fetchLocal(url);
      const health = HEALTH.safeParse(await response.json().catch(() => null));
      if (!health.success)
        throw unavailable(`What answers at ${url} is not Errata: check ERRATA_URL and PORT`);
      if (input.isSet('json')) deps.io.out(JSON.stringify(health.data));
      else for (const line of describeChecks(health.data.checks)) deps.io.out(line);
      return response.ok ? EXIT.done : EXIT.failed;
    }),
};

function describeChecks(checks: z.infer<typeof HEALTH>['checks']): readonly string[] {
  const nameWidth = Math.max(...Object.keys(checks).map((name) => name.length), 0);
  return Object.entries(checks).map(([name, { ok, detail }]) =>
    `${ok ? 'ok    ' : 'failed'}  ${name.padEnd(nameWidth)}  ${detail}`.trimEnd(),
  );
}
