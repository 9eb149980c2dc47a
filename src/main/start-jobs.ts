import { setTimeout as delay } from 'node:timers/promises';
import { createDestinationSender } from '#delivery/http/http-sender.ts';
import { createUptimeProber } from '#delivery/http/uptime-prober.ts';
import { openMailer } from '#delivery/smtp/smtp-mailer.ts';
import { createOpenTracker } from '#delivery/trackers/open-tracker.ts';
import { WAITS_OVER_MS, waitForDigest } from '#ingest/digest-symbols.ts';
import { parseFaultPoints } from '#lib/fault-points.ts';
import { networkWith } from '#lib/guarded-request/network.ts';
import type { Log } from '#lib/log.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { ACTIVITIES_CHANNEL } from '#product/notifications/activity-outbox-store.ts';
import { createUnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import { openPublicMaps } from '#product/symbolication/fetch-public-map.ts';
import { createBackupLock } from '#storage/postgres/backup/digest-pause.ts';
import { createNotifyFeed, ListenConnection } from '#storage/postgres/feeds.ts';
import { createJobRunner } from '#storage/postgres/job-runner.ts';
import { CHECK_INS_CHANNEL, DELIVERIES_CHANNEL, OUTBOX_CHANNEL } from '#storage/sql/notices.ts';
import type { Config } from '../config.ts';
import { runActivityWorker } from '../jobs/activity-worker.ts';
import { runAlertWorker } from '../jobs/alert-worker.ts';
import { runBackupWorker } from '../jobs/backup-worker.ts';
import { runDataRequestWorker } from '../jobs/data-request-worker.ts';
import { runDeliveryWorker } from '../jobs/delivery-worker.ts';
import { JOBS } from '../jobs/jobs.ts';
import { runMonitorWorker } from '../jobs/monitor-worker.ts';
import { runRegroupWorker } from '../jobs/regroup-worker.ts';
import { runUptimeWorker } from '../jobs/uptime-worker.ts';
import { isBackupMachine, openBackupParts } from './backups/backup-parts.ts';
import { openBackupTarget, readBackupKeys } from './backups/backup-target.ts';
import { findBacklog } from './ingest-lag.ts';
import type { RoleInit, StartedRole } from './messages.ts';
import { openStores, sessionUrl, UNSUBSCRIBE_PURPOSE } from './open-stores.ts';
import { announceRole } from './presence.ts';
import { attemptPath, spoolFolder } from './spool-paths.ts';

/** A batch that digest has begun is stored after so long, unless a store is away: its waits for uploads, and the rest. */
const BATCH_STORED_MS = WAITS_OVER_MS + 10_000;

export async function startJobs(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const { stores, close } = await openStores(init, config, { poolMax: 4 });
  const openTracker = createOpenTracker(networkWith(config.allowedInside));
  const connection = new ListenConnection({ url: sessionUrl(init), log });
  const feedOf = (channel: string) => createNotifyFeed({ url: sessionUrl(init), log, connection, channel });
  // All of them before the first worker listens.
  const outboxFeed = feedOf(OUTBOX_CHANNEL);
  const activityFeed = feedOf(ACTIVITIES_CHANNEL);
  const checkInFeed = feedOf(CHECK_INS_CHANNEL);
  const deliveryFeed = feedOf(DELIVERIES_CHANNEL);
  const runner = createJobRunner(init.databaseUrl, log);
  await runner.start(
    JOBS.map((job) => ({
      ...job,
      run: async () =>
        void (await job.run({
          stores,
          openTracker,
          findBacklog: async () =>
            config.spool === null ? findBacklog(spoolFolder(config.dataDir), log) : { kind: 'unknown' },
          now: Date.now,
          log,
        })),
    })),
  );
  const stopping = new AbortController();
  const faults = parseFaultPoints(config.faultPoints);
  const regroups = runRegroupWorker(
    {
      stores,
      fetchPublicMap: openPublicMaps(config.sourceMapHosts),
      waitForDigest: (signal) =>
        config.spool === null
          ? waitForDigest(attemptPath(config.dataDir), BATCH_STORED_MS, signal)
          : // On other machines nobody sees what digest has begun.
            delay(BATCH_STORED_MS, undefined, { signal }).catch(() => {}),
      faults,
      log,
    },
    stopping.signal,
  );
  const dataRequests = runDataRequestWorker(
    { stores, backupLock: createBackupLock({ url: sessionUrl(init) }), faults, log },
    stopping.signal,
  );
  const alerts = runAlertWorker({ stores, faults, log, now: Date.now, feed: outboxFeed }, stopping.signal);
  const activities = runActivityWorker({ stores, feed: activityFeed, log }, stopping.signal);
  const monitors = runMonitorWorker({ stores, feed: checkInFeed, log, now: Date.now }, stopping.signal);
  const mailer = openMailer(config.smtp, log);
  const { publicUrl } = config;
  const deliveries = runDeliveryWorker(
    {
      stores,
      now: Date.now,
      publicUrl,
      mailer,
      destinationSender: createDestinationSender(networkWith(config.allowedInside)),
      unsubscribeLinks: createUnsubscribeLinks(createSecretBox(init.secret, UNSUBSCRIBE_PURPOSE), publicUrl),
      faults,
    },
    { subscribe: deliveryFeed.subscribe, log },
    stopping.signal,
  );
  const uptime = runUptimeWorker(
    { stores, prober: createUptimeProber(networkWith(config.allowedInside)), now: Date.now, log },
    stopping.signal,
  );
  const backups = runBackupWorker(
    {
      backups: stores.backups,
      openFolder: (folder) => openBackupTarget(config, folder),
      readKeys: () => readBackupKeys(config),
      openParts: ({ withSecrets }) => openBackupParts(config, init, { withSecrets, log }),
      isHere: () => isBackupMachine(config),
      now: Date.now,
      log,
    },
    stopping.signal,
  );
  const presence = init.isShared ? announceRole('jobs', config, stores.roleProcesses, log) : null;
  return {
    check: () => runner.check(),
    async stop() {
      stopping.abort();
      await Promise.all([
        runner.stop(),
        regroups,
        dataRequests,
        alerts,
        activities,
        monitors,
        deliveries,
        uptime,
        backups,
        presence?.stop(),
      ]);
      await connection.close();
      mailer.close();
      await close();
    },
  };
}
