import type { BackupAge } from '#product/backups/backup-age.ts';
import { describeMachines, SILENT_MS_MAX } from '#product/machines/describe-machines.ts';
import type { RoleProcess } from '#product/machines/role-process-store.ts';
import type { Problem, StoreDiagnosis } from '#storage/ports/diagnosis.ts';
import type { QuarantinedItem } from '#storage/ports/digest.ts';
import type { DiskUsage } from '#storage/ports/stored-days.ts';

/** One thing that was looked at. `next` says what to do about it; null when it is well. */
export type Finding = {
  /** What was looked at, in a word or two. */
  about: string;
  level: 'ok' | 'warning' | 'failed';
  detail: string;
  next: string | null;
};

/** What is known of an address: how it answered, or why it did not. */
export type Reached = { ok: true; status: number } | { ok: false; reason: string };

export type DoctorFacts = {
  settings: { ok: boolean; lines: readonly string[] };
  /** null when this machine does not have the token that the details need. */
  checks: Readonly<Record<string, { ok: boolean; detail: string }>> | null;
  publicUrl: string;
  publicAnswer: Reached;
  /** Of this machine, when the stores were asked. */
  nowMs: number;
  stores: readonly StoreDiagnosis[];
  /** Of an instance whose machines share a database; empty otherwise. */
  machines: readonly RoleProcess[];
  disk: Pick<DiskUsage, 'usedBytes' | 'budgetBytes' | 'volumeBytes' | 'freeBytes'>;
  backups: BackupAge;
  quarantine: readonly Pick<QuarantinedItem, 'reason' | 'replayedAt'>[];
  /** Destinations whose last message failed. */
  failing: readonly { organization: string; name: string; error: string | null }[];
  hasMailServer: boolean;
};

/** More than clocks of machines that are kept in time differ by. */
const CLOCK_MS_MAX = 5_000;
const FREE_SHARE_MIN = 0.05;
const BUDGET_SHARE_MAX = 0.95;
const LOCAL_HOST = /^https?:\/\/(?:localhost|127\.|\[::1\])/;

/** What to do when a part of the server is not well. */
const NEXT_OF_PART: Readonly<Record<string, string>> = {
  postgres: 'Check that PostgreSQL runs and that DATABASE_URL is right',
  clickhouse: 'Check that ClickHouse runs and that CLICKHOUSE_URL is right',
  blobs: 'Check ERRATA_BLOBS_URL, that its endpoint is reached, and what the access key may do',
  disk: 'Free disk space, or lower what is kept under Settings > Storage',
};
const NEXT_OF_ANY_PART = 'Read the log of the server: the part is restarted automatically';

/** Everything that was looked at, in the order in which it is mended. */
export function findProblems(facts: DoctorFacts): readonly Finding[] {
  return [
    settingsFinding(facts.settings),
    ...partFindings(facts.checks),
    addressFinding(facts.publicUrl, facts.publicAnswer),
    ...facts.stores.flatMap((store) => storeFindings(store, facts.nowMs)),
    ...machineFindings(facts.machines),
    diskFinding(facts.disk),
    { about: 'backups', ...facts.backups },
    quarantineFinding(facts.quarantine),
    mailFinding(facts.hasMailServer),
    ...deliveryFindings(facts.failing),
  ];
}

const ok = (about: string, detail: string): Finding => ({ about, level: 'ok', detail, next: null });

function settingsFinding({ ok: isOk, lines }: DoctorFacts['settings']): Finding {
  const detail = lines.join('; ');
  if (isOk) return ok('settings', detail);
  return {
    about: 'settings',
    level: 'failed',
    detail,
    next: 'Mend the setting: docs/operate.md lists all of them',
  };
}

function partFindings(checks: DoctorFacts['checks']): readonly Finding[] {
  if (checks === null) {
    const next = "Set ERRATA_METRICS_TOKEN to the server's token, or run this as the server's user";
    return [
      {
        about: 'server',
        level: 'warning',
        detail: 'The health of its parts is not shown without the token',
        next,
      },
    ];
  }
  const parts = Object.entries(checks).filter(([part]) => !part.startsWith('machine '));
  return parts.map(([part, { ok: isOk, detail }]) =>
    isOk
      ? ok(part, detail || 'well')
      : { about: part, level: 'failed', detail, next: NEXT_OF_PART[part] ?? NEXT_OF_ANY_PART },
  );
}

function addressFinding(url: string, answer: Reached): Finding {
  const about = 'address';
  if (!answer.ok) {
    const next = 'Check ERRATA_URL, the name, the certificate, and the proxy in front';
    return { about, level: 'failed', detail: `${url} is not reached: ${answer.reason}`, next };
  }
  if (answer.status !== 200) {
    const next = 'Let the proxy pass every path, /health/live too, and set ERRATA_URL to its address';
    return { about, level: 'failed', detail: `${url}/health/live answers ${answer.status}`, next };
  }
  if (url.startsWith('http:') && !LOCAL_HOST.test(url)) {
    const next =
      'Put a proxy with a certificate in front, set ERRATA_URL to https, and name the proxy in ERRATA_TRUSTED_PROXIES';
    return { about, level: 'warning', detail: `${url} is reached without TLS`, next };
  }
  return ok(about, `${url} is reached`);
}

function storeFindings(
  { name, version, nowMs, problems, servers }: StoreDiagnosis,
  hereMs: number,
): readonly Finding[] {
  const found = problems.map(
    ({ detail, next }: Problem): Finding => ({ about: name, level: 'warning', detail, next }),
  );
  const offMs = Math.abs(nowMs - hereMs);
  if (offMs > CLOCK_MS_MAX) {
    const detail = `Its clock differs by ${Math.round(offMs / 1_000)} seconds from the clock of this machine`;
    found.push({
      about: name,
      level: 'warning',
      detail,
      next: 'Keep both machines in time, by NTP for instance',
    });
  }
  const well = servers.map((server) => ok(name, `${server.name}: ${server.detail}`));
  return [...(found.length > 0 ? found : [ok(name, `version ${version}`)]), ...well];
}

function machineFindings(processes: readonly RoleProcess[]): readonly Finding[] {
  const versions = new Set(
    processes.filter(({ silentMs }) => silentMs <= SILENT_MS_MAX).map(({ version }) => version),
  );
  const found = describeMachines(processes).map(({ name, detail, trouble }): Finding => {
    const about = `machine ${name}`;
    if (trouble === null) return ok(about, detail);
    const next =
      trouble === 'clock'
        ? 'Keep the machines in time, by NTP for instance'
        : 'Start it again; if it is gone for good, it is forgotten within an hour';
    return { about, level: 'warning', detail, next };
  });
  if (versions.size > 1) {
    const detail = `Versions ${[...versions].sort().join(' and ')} run side by side`;
    const next = 'Finish the upgrade: versions one apart work together, others do not';
    found.push({ about: 'versions', level: 'warning', detail, next });
  }
  return found;
}

function diskFinding({ usedBytes, budgetBytes, volumeBytes, freeBytes }: DoctorFacts['disk']): Finding {
  const detail = `${gigabytes(usedBytes)} of a budget of ${gigabytes(budgetBytes)}, ${gigabytes(freeBytes)} free on the volume`;
  if (freeBytes < volumeBytes * FREE_SHARE_MIN) {
    const next = 'Free space on the volume, or lower ERRATA_DISK_BYTES_MAX: then the oldest days are dropped';
    return { about: 'disk', level: 'failed', detail, next };
  }
  if (usedBytes > budgetBytes * BUDGET_SHARE_MAX) {
    const next = 'The oldest days are dropped to stay within it: raise ERRATA_DISK_BYTES_MAX to keep more';
    return { about: 'disk', level: 'warning', detail, next };
  }
  return ok('disk', detail);
}

function quarantineFinding(items: DoctorFacts['quarantine']): Finding {
  const waiting = items.filter(({ replayedAt }) => replayedAt === null);
  if (waiting.length === 0) return ok('quarantine', 'empty');
  const reasons = [...new Set(waiting.map(({ reason }) => reason))].join(', ');
  const next = 'See why with errata quarantine list, and replay them with errata quarantine replay';
  return { about: 'quarantine', level: 'warning', detail: `${waiting.length} items wait: ${reasons}`, next };
}

function mailFinding(hasMailServer: boolean): Finding {
  if (hasMailServer) return ok('mail', 'a mail server is set');
  const detail = 'No mail server is set: alerts, invitations and password resets are not emailed';
  const next = 'Set ERRATA_SMTP_URL and ERRATA_MAIL_FROM, or run this with the settings of the server';
  return { about: 'mail', level: 'warning', detail, next };
}

function deliveryFindings(failing: DoctorFacts['failing']): readonly Finding[] {
  if (failing.length === 0) return [ok('deliveries', 'no destination fails')];
  return failing.map(({ organization, name, error }) => ({
    about: 'deliveries',
    level: 'warning',
    detail: `Messages to ${name} (${organization}) fail: ${error ?? 'for an unknown reason'}`,
    next: 'Open the destination under Settings > Destinations, mend it, and send a test',
  }));
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`;
