import { createUptimeProber } from '#delivery/http/uptime-prober.ts';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import { createOpenTracker } from '#delivery/trackers/open-tracker.ts';
import { networkWith, parseAllowedInside } from '#lib/guarded-request/network.ts';
import { createSecretBox } from '#lib/secret-box.ts';
import { createApiLimits } from '#product/api-limits.ts';
import { createUnsubscribeLinks } from '#product/notifications/unsubscribe-links.ts';
import type { Services } from '#product/services.ts';
import type { Stores } from '#product/stores.ts';
import { MapParser } from '#product/symbolication/map-parser.ts';
import { SymbolFiles } from '#product/symbolication/symbol-files.ts';
import { type Product, PUBLIC_URL } from './open-product.ts';

/** What reaches out of the house: in tests of verbs nothing does, but to trackers of this machine. */
export const OUTSIDE: Pick<
  Services,
  'destinationSender' | 'openTracker' | 'unsubscribeLinks' | 'apiLimits' | 'uptimeProber'
> = {
  // As an operator can set it: a test asks for more in a minute than any client.
  apiLimits: createApiLimits({
    requestsPerMinuteMax: 1_000_000,
    concurrentMax: 1_000,
    refusalsPerMinuteMax: 1_000_000,
  }),
  destinationSender: { send: async () => ({ kind: 'sent', status: 200 }) },
  openTracker: createOpenTracker(networkWith(parseAllowedInside('127.0.0.1'))),
  uptimeProber: createUptimeProber(networkWith(parseAllowedInside('127.0.0.1'))),
  unsubscribeLinks: createUnsubscribeLinks(
    createSecretBox('a secret of the tests, not of anybody', 'unsubscribe'),
    PUBLIC_URL,
  ),
};

/** Source maps of uploads, read as the web process reads them. */
export const symbolsOf = (stores: Stores): SymbolFiles =>
  new SymbolFiles({ ...stores, parser: new MapParser(), now: Date.now });

/** What the web process has, over a product of the tests; without a mail server. */
export const servicesOf = (product: Product): Services => ({
  stores: product.webStores,
  publicUrl: PUBLIC_URL,
  docsFolder: 'docs',
  now: () => product.clock.nowMs,
  mailer: createNoMailer(),
  ...OUTSIDE,
  symbols: symbolsOf(product.stores),
  findIngestLag: () => null,
  findSelfReporting: async () => null,
});
