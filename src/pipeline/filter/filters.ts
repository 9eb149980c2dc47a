import type { NormalizedEvent } from '#protocol/event.ts';
import type { FilterSettings } from '#protocol/ingest-settings.ts';
import { compileGlobs } from '../patterns/glob.ts';
import {
  compileErrorMessages,
  compileLegacyBrowsers,
  headerOf,
  isChunkLoadError,
  isFromExtension,
  isFromLocalhost,
  isHydrationError,
  isWebCrawler,
  type LocalFacts,
} from './built-in-filters.ts';
import { compileIpRanges } from './ip-ranges.ts';

/** The reasons that the outcome `filtered` has, as in the reference: each names a filter. */
export const FILTER_REASONS = [
  'browser-extensions',
  'legacy-browsers',
  'localhost',
  'web-crawlers',
  'filtered-transaction',
  'react-hydration-errors',
  'chunk-load-error',
  'ip-address',
  'release-version',
  'error-message',
] as const;
export type FilterReason = (typeof FILTER_REASONS)[number];

/** What the filters know besides the event. */
export type Sender = { clientIp: string | null; userAgent: string | null };

/** What items besides error events tell of themselves. */
export type ItemFacts = LocalFacts & {
  release: string | null;
  /** As the item says it; null when it does not. */
  userAgent: string | null;
};

/** The reason names the filter, as in the reference: `browser-extensions`, `web-crawlers`, `release-version` … */
export type Filters = {
  /** null: let it through. */
  filterEvent(event: NormalizedEvent, sender: Sender): FilterReason | null;
  filterTransaction(transaction: ItemFacts & { name: string }, sender: Sender): FilterReason | null;
  /** For items that only have a sender and perhaps a release: sessions, logs, replays. */
  filterSender(facts: ItemFacts, sender: Sender): FilterReason | null;
};

/**
 * Names of transactions that only ask whether a service is alive.
 * Source: HEALTH_CHECK_GLOBS in sentry, src/sentry/constants.py
 */
const HEALTH_CHECKS = [
  '*healthcheck*',
  '*heartbeat*',
  '*/health',
  '*/healthy',
  '*/healthz',
  '*/live',
  '*/livez',
  '*/ready',
  '*/readyz',
  '*/ping',
];
const isHealthCheck = compileGlobs(HEALTH_CHECKS);

/** Everything that a filter may look at, whichever item it comes from. */
type Subject = {
  facts: ItemFacts;
  clientIp: string | null;
  event: NormalizedEvent | null;
  transactionName: string | null;
};
type Check = readonly [reason: FilterReason, matches: (subject: Subject) => boolean];

/**
 * Makes a project's filters ready. The first that matches names the reason; they are tried in the reference's order.
 * Source: relay-filter/src/lib.rs
 */
export function compileFilters(settings: FilterSettings): Filters {
  const checks = checksOf(settings);
  const run = (subject: Subject): FilterReason | null =>
    checks.find(([, matches]) => matches(subject))?.[0] ?? null;
  return {
    // An event is judged by the browser that it names itself, never by the program that delivered it.
    filterEvent(event, { clientIp }) {
      if (checks.length === 0) return null;
      return run({ facts: factsOf(event), clientIp, event, transactionName: null });
    },
    filterTransaction(transaction, { clientIp }) {
      if (checks.length === 0) return null;
      return run({ facts: transaction, clientIp, event: null, transactionName: transaction.name });
    },
    filterSender(facts, sender) {
      if (checks.length === 0) return null;
      const userAgent = facts.userAgent ?? sender.userAgent;
      return run({
        facts: { ...facts, userAgent },
        clientIp: sender.clientIp,
        event: null,
        transactionName: null,
      });
    },
  };
}

/** Only the filters that are on. */
function checksOf(settings: FilterSettings): readonly Check[] {
  const ofEvent =
    (matches: (event: NormalizedEvent) => boolean): Check[1] =>
    ({ event }) =>
      event !== null && matches(event);
  const ofUserAgent =
    (matches: (userAgent: string) => boolean): Check[1] =>
    ({ facts }) =>
      facts.userAgent !== null && matches(facts.userAgent);
  const ipRanges = compileIpRanges(settings.ipAddresses);
  const releases = compileGlobs(settings.releases);
  const errorMessages = compileErrorMessages(settings.errorMessages);
  const legacyBrowsers = compileLegacyBrowsers(settings.legacyBrowsers);
  const checks: (Check | false | null)[] = [
    settings.chunkLoadErrors && ['chunk-load-error', ofEvent(isChunkLoadError)],
    settings.reactHydrationErrors && ['react-hydration-errors', ofEvent(isHydrationError)],
    ipRanges && ['ip-address', ({ clientIp }) => clientIp !== null && ipRanges(clientIp)],
    releases && ['release-version', ({ facts }) => facts.release !== null && releases(facts.release)],
    errorMessages && ['error-message', ofEvent(errorMessages)],
    settings.localhost && ['localhost', ({ facts }) => isFromLocalhost(facts)],
    settings.browserExtensions && ['browser-extensions', ofEvent(isFromExtension)],
    legacyBrowsers && ['legacy-browsers', ofUserAgent(legacyBrowsers)],
    settings.webCrawlers && ['web-crawlers', ofUserAgent(isWebCrawler)],
    settings.healthChecks && [
      'filtered-transaction',
      ({ transactionName }) => transactionName !== null && isHealthCheck?.(transactionName) === true,
    ],
  ];
  return checks.filter((check): check is Check => Boolean(check));
}

function factsOf(event: NormalizedEvent): ItemFacts {
  const headers = event.request?.headers;
  return {
    release: event.release ?? null,
    userAgent: headerOf(headers, 'user-agent') ?? null,
    ipAddress: event.user?.ip_address ?? null,
    url: event.request?.url ?? null,
    headers: headers ?? null,
  };
}
