import type { Config } from '#config.ts';
import type { Log } from '#lib/log.ts';
import { removeStart, writeStart } from '../data-dir.ts';
import type { UpgradeProgress } from '../messages.ts';
import { describeProgress, openUpgradeNotice } from './upgrade-notice.ts';

/** How often what takes long is said again. */
const SAY_AGAIN_MS = 10_000;

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
  let saidAt = 0;
  let timer: NodeJS.Timeout | null = null;

  function sayProgress(progress: UpgradeProgress): void {
    say(`  ${describeProgress(progress, Date.now())}`);
    saidAt = performance.now();
  }

  return {
    tell(progress: UpgradeProgress): void {
      const former = current;
      current = progress;
      if (!former) {
        say(
          `Upgrading the data of Errata ${progress.from ?? 'before 1.0'} to ${progress.to}: ${progress.count} migrations`,
        );
        timer = setInterval(() => {
          if (current && performance.now() - saidAt >= SAY_AGAIN_MS) sayProgress(current);
        }, SAY_AGAIN_MS);
        if (hasEdge) {
          const { host, port } = config;
          notice = openUpgradeNotice({ host, port, metricsToken }, () => current ?? progress, log);
        }
      }
      // Steps of one thing, such as tables of a backup, are said only now and then.
      if (former?.number !== progress.number || !progress.doing.startsWith(former.doing))
        sayProgress(progress);
      writeStart(config.dataDir, { ...progress, pid: process.pid });
    },

    /** The port is free when it resolves. */
    async end(): Promise<void> {
      if (timer) clearInterval(timer);
      await (await notice)?.close();
      removeStart(config.dataDir);
    },
  };
}
