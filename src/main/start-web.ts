import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import next from 'next';
import type { Config } from '#config.ts';
import { createDestinationSender } from '#delivery/http/http-sender.ts';
import { createUptimeProber } from '#delivery/http/uptime-prober.ts';
import { openMailer } from '#delivery/smtp/smtp-mailer.ts';
import { createOpenTracker } from '#delivery/trackers/open-tracker.ts';
import { REQUEST_BOUNDS } from '#ingest/request-bounds.ts';
import { networkWith } from '#lib/guarded-request/network.ts';
import type { Log } from '#lib/log.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { SELF_PROJECT_SLUG } from '#product/accounts/set-up-instance.ts';
import { createApiLimits } from '#product/api-limits.ts';
import { reuseCounts } from '#product/issues/reuse-counts.ts';
import { startCountExchange } from '#product/machines/exchange-counts.ts';
import { createUnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import type { ProjectStore } from '#product/projects/store/project-store.ts';
import { provideServices, type SelfReporting } from '#product/services.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { SymbolFiles } from '#product/symbolication/symbol-files.ts';
import { formatDsn } from '#protocol/dsn.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { createArtifactFeed, createChangeFeed, ListenConnection } from '#storage/postgres/feeds.ts';
import { sayErrorInDocument } from './error-document.ts';
import { redirectSentryAddress, refuseForeignAction, refuseMalformedAddress } from './guard-page-request.ts';
import { IngestLagMeter } from './ingest-lag.ts';
import type { RoleInit, StartedRole } from './messages.ts';
import { openStores, sessionUrl, UNSUBSCRIBE_PURPOSE } from './open-stores.ts';
import { securePage } from './page-security.ts';
import { announceRole } from './presence.ts';
import { answerReplayFrame } from './replay-frame.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Source maps that are kept read for profiles. */
const PROFILE_SYMBOLS_BYTES_MAX = 64 * 1024 * 1024;

/** The pages, on loopback behind the edge. */
export async function startWeb(config: Config, init: RoleInit, log: Log): Promise<StartedRole> {
  const { stores, storesWith, postgres, close } = await openStores(init, config, { poolMax: 10 });
  const events = reuseCounts(stores.events, Date.now);
  const authenticator = createAuthenticator({
    pool: postgres.pool,
    secret: init.secret,
    publicUrl: config.publicUrl,
    // The edge names one address, the client's, whatever was sent to it.
    singleSignOn: config.singleSignOn,
    sessionLimits: config.sessionLimits,
  });
  const connection = new ListenConnection({ url: sessionUrl(init), log });
  const feedOptions = { url: sessionUrl(init), log, connection };
  const changes = createChangeFeed(feedOptions);
  const parser = new MapParser();
  const symbols = new SymbolFiles({ ...stores, parser, now: Date.now }, PROFILE_SYMBOLS_BYTES_MAX);
  const uploads = createArtifactFeed(feedOptions);
  uploads.subscribe((organizationId) => symbols.forget(organizationId));
  const lag = new IngestLagMeter();
  const mailer = openMailer(config.smtp, log);
  const apiLimits = createApiLimits(config.apiLimits);
  const exchange = init.isShared
    ? startCountExchange(apiLimits.requests, 'api', { store: stores.sharedCounts, log })
    : null;
  provideServices({
    stores: storesWith(({ pool }) => ({ authenticator: authenticator.over(pool), changes, events })),
    apiLimits,
    mailer,
    symbols,
    destinationSender: createDestinationSender(networkWith(config.allowedInside)),
    openTracker: createOpenTracker(networkWith(config.allowedInside)),
    uptimeProber: createUptimeProber(networkWith(config.allowedInside)),
    unsubscribeLinks: createUnsubscribeLinks(
      createSecretBox(init.secret, UNSUBSCRIBE_PURPOSE),
      config.publicUrl,
    ),
    findIngestLag: () => lag.find(performance.now()),
    publicUrl: config.publicUrl,
    docsFolder: join(ROOT, 'docs'),
    now: Date.now,
    findSelfReporting: cacheSelfReporting(config, stores.projects),
  });

  const port = init.webPort ?? 0;
  if (!init.isDevelopment) setBuiltConfig();
  // The framework would read the file .env, whose secrets are not all for this role.
  process.env.__NEXT_PROCESSED_ENV = 'true';
  // Without host name and port the redirects of server actions fail silently.
  const app = next({ dev: init.isDevelopment, dir: ROOT, hostname: '127.0.0.1', port });
  await withoutRemarks(() => app.prepare());
  const handle = app.getRequestHandler();
  const security = { isHttps: config.publicUrl.startsWith('https://'), isDevelopment: init.isDevelopment };
  // The edge has a closer look at bodies that arrive slowly.
  const timeouts = { keepAliveTimeout: 65_000, requestTimeout: REQUEST_BOUNDS.requestTimeoutMs };
  const server = createServer(timeouts, (request, response) => {
    // Layouts do not get the address they render, and sign-in must lead back to it.
    request.headers['x-errata-path'] = request.url;
    securePage(request, response, security);
    if (refuseMalformedAddress(request, response)) return;
    if (answerReplayFrame(request, response)) return;
    if (refuseForeignAction(request, response, config.publicUrl)) return;
    if (redirectSentryAddress(request, response)) return;
    sayErrorInDocument(response);
    void handle(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const presence = init.isShared ? announceRole('web', config, stores.roleProcesses, log) : null;
  return {
    check: () => ({ ok: true, detail: 'serves pages' }),
    onHealth: (checks, digest) => lag.note(performance.now(), checks.digest ?? null, digest),
    async stop() {
      server.close();
      server.closeAllConnections();
      await app.close();
      mailer.close();
      await Promise.all([
        changes.close(),
        connection.close(),
        parser.stop(),
        presence?.stop(),
        exchange?.stop(),
      ]);
      await close();
    },
  };
}

/** The framework tells how long its settings took to load, which is nothing to whoever starts a server. What is wrong is told elsewhere. */
async function withoutRemarks(prepare: () => Promise<void>): Promise<void> {
  const { log } = console;
  console.log = () => {};
  try {
    await prepare();
  } finally {
    console.log = log;
  }
}

/** The framework reads the configuration that the build has written, instead of loading and compiling it again. */
function setBuiltConfig(): void {
  const file = join(ROOT, '.next/required-server-files.json');
  if (!existsSync(file)) {
    throw new Error('The pages have not been built: run npm start, or npm run build before errata serve');
  }
  const { config } = JSON.parse(readFileSync(file, 'utf8')) as { config: unknown };
  process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
}

const SELF_REPORTING_AGE_MS_MAX = 30_000;
/** Before the set-up is done it may be done any moment. */
const SELF_REPORTING_ABSENT_AGE_MS_MAX = 2_000;

function cacheSelfReporting(config: Config, projects: ProjectStore): () => Promise<SelfReporting | null> {
  let cached: { at: number; value: Promise<SelfReporting | null>; isAbsent: boolean } | null = null;
  return () => {
    if (!config.selfReporting) return Promise.resolve(null);
    const ageMax = cached?.isAbsent ? SELF_REPORTING_ABSENT_AGE_MS_MAX : SELF_REPORTING_AGE_MS_MAX;
    if (cached && performance.now() - cached.at < ageMax) return cached.value;
    const value = findSelfReporting(config.publicUrl, projects).catch(() => null);
    const entry = { at: performance.now(), value, isAbsent: false };
    cached = entry;
    void value.then((found) => {
      entry.isAbsent = found === null;
    });
    return value;
  };
}

/** Where Errata reports its own errors; null before the set-up, and while the project has no active key. */
export async function findSelfReporting(
  publicUrl: string,
  projects: ProjectStore,
): Promise<SelfReporting | null> {
  for (const organization of await projects.listOrganizations()) {
    const project = await projects.findProject(organization.id, SELF_PROJECT_SLUG);
    // In another organization it is somebody's own project with this slug.
    if (!project?.isInternal) continue;
    const keys = await projects.listKeys(organization.id, project.id);
    const key = keys.find(({ isActive }) => isActive);
    if (!key) return null;
    return {
      dsn: formatDsn(publicUrl, key.publicKey, project.id),
      organizationId: organization.id,
      projectId: project.id,
    };
  }
  return null;
}
