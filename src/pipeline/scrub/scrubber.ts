import { isIP } from 'node:net';
import type { NormalizedEvent } from '#protocol/event.ts';
import type { PrivacySettings } from '#protocol/ingest-settings.ts';
import type { BodyKind } from './bodies/body-rules.ts';
import { type BodyScrubber, openBodyScrubber, type TextEncoding } from './bodies/body-scrubber.ts';
import { compilePlan, type Plan } from './compile-plan.ts';
import { EVENT } from './event-schema.ts';
import { ATTACHMENTS } from './record-schema.ts';
import { type RecordRoot, scrubEventPayload, scrubRecordPayload } from './scrub-payload.ts';
import { ScrubWalk } from './scrub-walk.ts';

/** Takes private data out before anything is stored. Works on copies; what was changed is marked in `_meta`. */
export type Scrubber = {
  scrubEvent(event: NormalizedEvent): NormalizedEvent;
  /**
   * Other payloads, by the name that selectors know them under: `$transaction`, `$span`, `$log`, `$replay` …
   * Transactions, replays and feedback have their changes marked in `_meta`. A removed attribute is absent afterwards.
   */
  scrubRecord(root: RecordRoot, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  scrubAttachmentName(name: string): string;
  /** For a text that goes to the blob store, as it comes; null when nothing is to be hidden in it. */
  openBody(kind: BodyKind, name: string, encoding: TextEncoding, head: Uint8Array): BodyScrubber | null;
  /** Any value that no rule reaches, such as the name of a monitor: only keys and tokens of known forms are taken out. */
  scrubKnown<T>(value: T): T;
  /** A lone address, as sessions and check-ins have one; null when it must not be kept. */
  scrubIp(ip: string | null): string | null;
};

/** Never throws, and neither does what it makes. The same payload comes out the same each time. */
export function compileScrubber(settings: PrivacySettings): Scrubber {
  const plan = compilePlan(settings);
  if (plan.isIdle) return IDLE;
  return {
    scrubEvent: (event) => scrubEventPayload(plan, event).value,
    scrubRecord: (root, value) => scrubRecordPayload(plan, root, value).value,
    scrubAttachmentName: (name) => scrubFilename(plan, name),
    openBody: (kind, name, encoding, head) => openBodyScrubber(plan, kind, name, encoding, head),
    scrubKnown: (value) => new ScrubWalk(plan).walkFixed(value) as typeof value,
    scrubIp: (ip) => scrubIp(plan, ip),
  };
}

/** The name that stands in for none, or for one that a rule took away. */
const NAMELESS = 'attachment';

const IDLE: Scrubber = {
  scrubEvent: (event) => event,
  scrubRecord: (_root, value) => value,
  scrubAttachmentName: (name) => name || NAMELESS,
  openBody: () => null,
  scrubKnown: (value) => value,
  scrubIp: (ip) => ip,
};

function scrubFilename(plan: Plan, filename: string): string {
  const { filename: scrubbed } = new ScrubWalk(plan).walk({ filename }, ATTACHMENTS);
  return typeof scrubbed === 'string' && scrubbed !== '' ? scrubbed : NAMELESS;
}

/** Rules see it as `$user.ip_address`; what is no address afterwards has no place to be kept. */
function scrubIp(plan: Plan, ip: string | null): string | null {
  if (ip === null || plan.scrubIp) return null;
  const { user } = new ScrubWalk(plan).walk({ user: { ip_address: ip } as Record<string, unknown> }, EVENT);
  const scrubbed = user?.ip_address;
  return typeof scrubbed === 'string' && isIP(scrubbed) !== 0 ? scrubbed : null;
}
