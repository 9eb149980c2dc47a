import type { DestinationSender } from '#delivery/ports/destination-sender.ts';
import type { Mailer } from '#delivery/ports/mailer.ts';
import type { OpenTracker } from '#delivery/ports/tracker-client.ts';
import type { UptimeProber } from '#delivery/ports/uptime-prober.ts';
import type { ApiLimits } from './api-limits.ts';
import type { UnsubscribeLinks } from './notifications/unsubscribe-links.ts';
import type { WebServices } from './stores.ts';
import type { LoadableFiles } from './symbolication/project-symbols.ts';

/** Where the app reports its own errors; null until the instance is set up. */
export type SelfReporting = { dsn: string; organizationId: number; projectId: number };

/** Why what programs send is not on the pages yet. */
export type IngestLag = {
  /** How long the oldest of what waits has waited. */
  seconds: number;
  /** null while the digest works, only too slowly. */
  reason: string | null;
};

/** What the web process hands to the pages. */
export type Services = {
  apiLimits: ApiLimits;
  stores: WebServices;
  mailer: Mailer;
  destinationSender: DestinationSender;
  unsubscribeLinks: UnsubscribeLinks;
  /** Uploaded source maps, for profiles: events are symbolicated when they arrive. */
  symbols: LoadableFiles;
  openTracker: OpenTracker;
  /** For checks that somebody tries; the jobs role has its own. */
  uptimeProber: UptimeProber;
  /** null while what is sent shows up within half a minute, or when another machine digests. */
  findIngestLag: () => IngestLag | null;
  /** Public address of the instance without a trailing slash. */
  publicUrl: string;
  /** The guides that come with the program, which the pages show. */
  docsFolder: string;
  now: () => number;
  /** Cached by the composition root; null until the instance is set up. */
  findSelfReporting: () => Promise<SelfReporting | null>;
};

// The framework bundles its own copy of this module, so the hand-over goes through the one global object that
// the composition root and the bundle share.
const KEY = Symbol.for('errata.services');
type Holder = { [KEY]?: Services };

export function provideServices(services: Services): void {
  (globalThis as Holder)[KEY] = services;
}

/** Throws when called outside the web process. */
export function getServices(): Services {
  const services = (globalThis as Holder)[KEY];
  if (!services) throw new Error('The web services are not available: pages run only inside `errata serve`');
  return services;
}
