import type { Config } from '#config.ts';
import type { Log } from '#lib/log.ts';
import { removeStart, writeStart } from '../data-dir.ts';
import type { UpgradeProgress } from '../messages.ts';
import { describeProgress, formatElapsed, openUpgradeNotice } from './upgrade-notice.ts';

/** What takes longer is said this often; each migration is in the log. */
const SAY_EVERY_MS = 5_000;

/**
 * Says how far an upgrade is: on the console, to `errata status` through a file, and to whoever asks the public port, where
 * `hasEdge`. Does nothing before the first `tell`.
 */
export function createUpgradeAnnouncer(
  config: Config,
  { metricsToken, hasEdge }: { metricsToken: string; hasEdge: boolean },
  say: (line: string) => void,
  log: Log,
) {
  let current: UpgradeProgress | null = null;
  let notice: ReturnType<typeof openUpgradeNotice> | null = null;
  let timer: NodeJS.Timeout | null = null;

  function begin(first: UpgradeProgress): void {
    const { from, to, count } = first;
    say(`Upgrading the data of Errata ${from ?? 'before 1.0'} to ${to}: ${count} migrations`);
    timer = setInterval(() => say(`  ${describeProgress(current ?? first, Date.now())}`), SAY_EVERY_MS);
    if (!hasEdge) return;
    const { host, port } = config;
    notice = openUpgradeNotice({ host, port, metricsToken }, () => current ?? first, log);
  }

  return {
    tell(progress: UpgradeProgress): void {
      if (!current) begin(progress);
      if (progress.number === 0 && progress.doing !== current?.doing) say(`  ${progress.doing}`);
      current = progress;
      writeStart(config.dataDir, { ...progress, pid: process.pid });
    },

    /** The port is free when it resolves. */
    async end(isDone: boolean): Promise<void> {
      if (timer) clearInterval(timer);
      await (await notice)?.close();
      removeStart(config.dataDir);
      if (current && isDone) say(`Upgraded in ${formatElapsed(Date.now() - current.startedAt)}`);
    },
  };
}
