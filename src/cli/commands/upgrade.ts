import { DAY_MS, HOUR_MS, MINUTE_MS } from '#lib/time.ts';
import type { PlannedMigration } from '#product/upgrades/plan-upgrade.ts';
import type { UpgradeReport } from '#product/upgrades/upgrade-report.ts';
import { type CliCommand, EXIT, JSON_OPTION, UsageError } from '../cli-command.ts';
import { formatBytes, formatTime } from './backups/backup-options.ts';

export const upgrade: CliCommand = {
  name: 'upgrade',
  positionals: [],
  options: {
    check: { type: 'boolean', isRequired: true, meaning: 'Look, and change nothing' },
    json: JSON_OPTION,
  },
  summary:
    'Say what a start of this version does with the data that is there: migrations, time, disk, the backup before, and the way back; exit with 1 if it cannot upgrade',
  async run(input, { io, upgrades }) {
    if (!input.isSet('check')) {
      throw new UsageError('A start of the new version upgrades the data; --check says what it will do');
    }
    const report = await upgrades.check();
    if (input.isSet('json')) io.out(JSON.stringify(report));
    else for (const line of describeReport(report, Date.now())) io.out(line);
    return report.problems.length === 0 ? EXIT.done : EXIT.failed;
  },
};

/** What `errata upgrade --check` prints. */
export function describeReport(report: UpgradeReport, nowMs: number): readonly string[] {
  const { plan, problems, downgrade } = report;
  return [
    ...describeVersions(report),
    ...(plan.migrations.length === 0 ? ['Nothing to migrate.'] : describePlan(report)),
    describeLastGood(report, nowMs),
    ...problems.flatMap(({ detail, next }) => [`failed   ${detail}`, `         → ${next}`]),
    ...(problems.length === 0
      ? [plan.migrations.length === 0 || downgrade.isPossible ? ONE_BY_ONE : READY]
      : []),
  ];
}

const ONE_BY_ONE = 'Ready. Start this version, one machine after another.';
const READY = 'Ready. Stop Errata on all machines, and start this version on one of them first.';

function describeVersions({
  version,
  installed,
  applied,
  newer,
  isUnfinished,
}: UpgradeReport): readonly string[] {
  const counts = Object.entries(applied).map(([store, count]) => `${store} ${count}`);
  const last = installed
    ? `Errata ${installed.version}, started ${formatTime(installed.startedAt)}`
    : 'a version that did not note itself (0.1.0 or before)';
  return [
    `This is Errata ${version}. The data was last used by ${last}.`,
    `Migrations applied: ${counts.join(', ')}`,
    ...(newer.length > 0
      ? [`The data is of a newer version, with which this one still runs: ${newer.join(', ')}`]
      : []),
    ...(isUnfinished ? ['The upgrade to this version was interrupted; the next start continues it.'] : []),
  ];
}

function describePlan({ plan, backup, disk, downgrade }: UpgradeReport): readonly string[] {
  const width = Math.max(...plan.migrations.map(({ name }) => name.length));
  const added = plan.addedBytes === 0 ? 'no more disk' : `up to ${formatBytes(plan.addedBytes)} more disk`;
  const free = disk
    ? `${formatBytes(disk.freeBytes)} free`
    : 'the disks of external stores are not seen from here';
  return [
    '',
    ...plan.migrations.map((migration) => describeMigration(migration, width)),
    '',
    `Time: about ${formatMs(plan.ms)}, by the rate that was measured on two cores; both stores at the same time`,
    `Disk: ${added}; ${free}`,
    backup.kind === 'none'
      ? `Backup: none is made, ${backup.reason}`
      : `Backup: made first, to ${backup.folder}; about ${formatMs(backup.ms)}, up to ${formatBytes(backup.neededBytes)}`,
    downgrade.isPossible
      ? `Way back: Errata ${downgrade.version} can still be started on the upgraded data`
      : `Way back: only by restoring the backup. Errata ${downgrade.version} does not run with ${downgrade.because.join(', ')}`,
  ];
}

function describeMigration(
  { store, name, summary, isInstant, rows, bytes, ms, addedBytes }: PlannedMigration,
  width: number,
): string {
  const work = isInstant
    ? 'instant'
    : `about ${formatMs(ms)}, goes through ${rows.toLocaleString('en')} rows (${formatBytes(bytes)}), adds ${formatBytes(addedBytes)}`;
  return `  ${store.padEnd('PostgreSQL'.length)}  ${name.padEnd(width)}  ${summary}: ${work}`;
}

function describeLastGood({ lastGoodBackup }: UpgradeReport, nowMs: number): string {
  if (!lastGoodBackup) return 'Last good backup: none is known';
  const { id, folder, at } = lastGoodBackup;
  return `Last good backup: ${id} in ${folder}, ${formatMs(nowMs - at)} old`;
}

function formatMs(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.max(1, Math.round(ms / 1_000))} s`;
  if (ms < 2 * HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`;
}
