import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { z } from 'zod';
import { messageOf } from '#lib/errors.ts';
import { readBackupAge } from '#product/backups/backup-age.ts';
import { type CliCommand, type CliConnection, type CliDeps, EXIT, JSON_OPTION } from '../cli-command.ts';
import { type DoctorFacts, type Finding, findProblems, type Reached } from '../doctor/findings.ts';
import { withConnection } from '../with-connection.ts';

const ITEMS_MAX = 1_000;
const ANSWER_TIMEOUT_MS = 15_000;

const HEALTH = z.object({
  checks: z.record(z.string(), z.object({ ok: z.boolean(), detail: z.string() })).optional(),
});

export const doctor: CliCommand = {
  name: 'doctor',
  positionals: [],
  options: {
    json: JSON_OPTION,
    bundle: {
      type: 'string',
      placeholder: '<file>',
      meaning: 'Also write everything that was found, without secrets, to a gzip file to send along',
    },
  },
  summary:
    'Look at settings, parts, stores, disk, backups, and deliveries, and say what to do; exit with 1 if something failed',
  run: (input, deps) =>
    withConnection(deps, async (connection) => {
      const facts = await readFacts(connection, deps);
      const findings = findProblems(facts);
      if (input.isSet('json')) deps.io.out(JSON.stringify(findings));
      else for (const line of findings.flatMap(describe)) deps.io.out(line);
      const file = input.option('bundle');
      if (file !== undefined) {
        writeFileSync(file, gzipSync(JSON.stringify({ findings, facts }, null, 2)), { mode: 0o600 });
        deps.io.err(`Written to ${file}`);
      }
      return findings.some(({ level }) => level === 'failed') ? EXIT.failed : EXIT.done;
    }),
};

/** Nothing here is a secret: no setting's value but the public address, nothing of what was sent. */
async function readFacts(connection: CliConnection, deps: CliDeps): Promise<DoctorFacts> {
  const { stores, publicUrl, now } = connection;
  const [checks, publicAnswer, diagnoses, machines, disk, backups, quarantine, failing] = await Promise.all([
    readChecks(connection),
    reach(`${publicUrl}/health/live`),
    connection.diagnoseStores(),
    stores.roleProcesses.list(),
    stores.disk.measure(),
    readBackupAge(stores.backups, now()),
    stores.quarantine.list(null, ITEMS_MAX),
    listFailing(connection),
  ]);
  return {
    settings: deps.checkConfig(),
    checks,
    publicUrl,
    publicAnswer,
    nowMs: now(),
    stores: diagnoses,
    machines,
    disk,
    backups,
    quarantine: quarantine.map(({ reason, replayedAt }) => ({ reason, replayedAt })),
    failing,
    hasMailServer: connection.hasMailServer,
  };
}

async function readChecks({ localUrl, metricsToken }: CliConnection): Promise<DoctorFacts['checks']> {
  const headers: HeadersInit = metricsToken === null ? {} : { authorization: `Bearer ${metricsToken}` };
  try {
    const response = await fetch(`${localUrl}/health/ready`, {
      headers,
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    return HEALTH.parse(await response.json()).checks ?? null;
  } catch (error) {
    return { server: { ok: false, detail: `${localUrl} is not responding: ${messageOf(error)}` } };
  }
}

async function reach(url: string): Promise<Reached> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    await response.body?.cancel();
    return { ok: true, status: response.status };
  } catch (error) {
    // What fetch itself says is only that it failed.
    return { ok: false, reason: messageOf((error as Error).cause ?? error) };
  }
}

async function listFailing({ stores }: CliConnection): Promise<DoctorFacts['failing']> {
  const organizations = await stores.projects.listOrganizations();
  const lists = await Promise.all(
    organizations.map(async ({ id, slug }) =>
      (await stores.destinations.list(id))
        .filter(({ failingSince }) => failingSince !== null)
        .map(({ name, lastError }) => ({ organization: slug, name, error: lastError })),
    ),
  );
  return lists.flat();
}

function describe({ about, level, detail, next }: Finding): readonly string[] {
  const line = `${level.padEnd('warning'.length)}  ${about}: ${detail}`;
  return next === null ? [line] : [line, `${' '.repeat('warning'.length)}  → ${next}`];
}
