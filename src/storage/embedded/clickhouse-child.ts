/**
 * The process that is the embedded ClickHouse: it hands itself over to the engine's own command line, told to listen
 * on HTTP and then to wait for ever. Arguments: library, folder with the configuration and the data, HTTP port, and
 * the user and group to become (none: stay who we are).
 *
 * The engine believes that it is a command-line tool, for which reading any file and running any program is right:
 * `file()`, `executable()`, `format_template_row` and `ATTACH … FROM` ignore grants and paths of the configuration.
 * So the kernel takes those away before the engine starts.
 */
import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { isMainThread, parentPort, SHARE_ENV, Worker } from 'node:worker_threads';
import { DataType, load, open } from 'ffi-rs';
import { UNCONFINED } from './engine.ts';
import { confineThread } from './landlock.ts';
import { releasePages } from './release-pages.ts';

/** What the engine asks about the machine and itself: processors, memory and its limit, the time zone. */
const MACHINE_FACTS = [
  '/proc/self',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/stat',
  '/proc/loadavg',
  '/proc/uptime',
  '/proc/sys/kernel',
  '/proc/sys/vm',
  '/sys/devices/system',
  '/sys/fs/cgroup',
  '/dev/urandom',
  '/etc/localtime',
  '/usr/share/zoneinfo',
];

const [library, folder, httpPort, uid, gid] = process.argv.slice(2);
if (!library || !folder || !httpPort)
  throw new Error('usage: clickhouse-child LIBRARY FOLDER PORT [UID GID]');

// sleepEachRow instead of a busy query: an idle server must cost nothing.
const QUERY =
  'SYSTEM START LISTEN HTTP; SELECT sleepEachRow(3) FROM system.numbers SETTINGS max_block_size = 1, max_threads = 1 FORMAT Null';
const args = [
  'clickhouse-local',
  `--config-file=${join(folder, 'config.xml')}`,
  `--path=${join(folder, 'data')}`,
  '--query',
  QUERY,
];

/** The engine occupies this thread for good, so another one gives back what the engine does not use. */
const RELEASE_AFTER_MS = [2_000, 5_000, 10_000] as const;
const RELEASE_EVERY_MS = 20_000;

/** Neither thread allocates much, so neither collects by itself what its start has left. */
const collectGarbage = () =>
  void globalThis.gc?.({ type: 'major', flavor: 'last-resort' } as NodeJS.GCOptions);

if (!isMainThread) {
  confineThread({ writable: [], readable: MACHINE_FACTS, tcpPort: Number(httpPort) });
  const release = () => {
    releasePages(library);
    collectGarbage();
  };
  for (const afterMs of RELEASE_AFTER_MS) setTimeout(release, afterMs);
  setInterval(release, RELEASE_EVERY_MS);
  parentPort?.postMessage('ready');
  await new Promise(() => {});
}

if (process.platform === 'linux') {
  const worker = new Worker(process.argv[1] ?? '', {
    argv: process.argv.slice(2),
    env: SHARE_ENV,
    trackUnmanagedFds: false,
    resourceLimits: { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 },
  });
  await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
}

// This process is ended by a signal: what was compiled is kept now.
flushCompileCache();
open({ library: 'chdb', path: library });
if (uid && gid) {
  process.setgroups?.([]);
  process.setgid?.(Number(gid));
  process.setuid?.(Number(uid));
}
const confinement = confineThread({
  writable: [join(folder, 'data'), '/dev/null'],
  readable: [join(folder, 'config.xml'), join(folder, 'users.xml'), ...MACHINE_FACTS],
  tcpPort: Number(httpPort),
});
if (confinement.kind === 'unavailable') process.stderr.write(`${UNCONFINED} ${confinement.reason}\n`);
collectGarbage();
const code = load({
  library: 'chdb',
  funcName: 'chdb_query_cmdline',
  retType: DataType.I64,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [args.length, args],
});
process.stderr.write(`ClickHouse exited (${String(code)})\n`);
process.exit(1);
