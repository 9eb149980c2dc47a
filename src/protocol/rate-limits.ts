import type { Category } from './outcome.ts';

/** A quota that is used up, and until when. */
export type ActiveLimit = {
  quota: Quota;
  /** Milliseconds since the epoch: when the next window begins. */
  untilMs: number;
};

/**
 * Value of `X-Sentry-Rate-Limits`: `60:error;transaction:key:key_quota, 3600::organization:org_quota`, no categories
 * meaning all. Limits of the same reach and categories are one, the longest. Empty when nothing is limited.
 * Source: relay-server/src/utils/rate_limits.rs and relay-quotas/src/rate_limit.rs.
 */
export function formatRateLimits(limits: readonly ActiveLimit[], nowMs: number): string {
  const longest = new Map<string, ActiveLimit>();
  for (const limit of limits) {
    const reach = `${headerCategories(limit.quota)}:${limit.quota.scope}`;
    const known = longest.get(reach);
    if (!known || known.untilMs < limit.untilMs) longest.set(reach, limit);
  }
  return [...longest]
    .map(([reach, limit]) => `${remainingSeconds(limit, nowMs)}:${reach}:${limit.quota.reasonCode}`)
    .join(', ');
}

/** Value of `Retry-After`: seconds until the last of the limits ends; null when there is none. */
export const retryAfterSeconds = (limits: readonly ActiveLimit[], nowMs: number): number | null =>
  limits.length === 0 ? null : Math.max(...limits.map((limit) => remainingSeconds(limit, nowMs)));

/** Rounded up: who waits so long does not come too early. */
const remainingSeconds = ({ untilMs }: ActiveLimit, nowMs: number): number =>
  Math.max(0, Math.ceil((untilMs - nowMs) / 1000));

const headerCategories = ({ categories }: Quota): string =>
  [...new Set(categories.map((category) => HEADER_NAMES[category] ?? category))].join(';');

/** Categories that SDKs know by another name; relay-base-schema/src/data_category.rs. */
const HEADER_NAMES: Partial<Record<Category, string>> = {
  user_report_v2: 'feedback',
  statsd: 'metric_bucket',
};

/** How far a limit reaches; also the middle part of `X-Sentry-Rate-Limits`. */
export type QuotaScope = 'organization' | 'project' | 'key';

/** So many items of some categories in a window of time; what comes beyond is refused with the outcome rate_limited. */
export type Quota = {
  /** Names the counter: the same id counts together. */
  id: string;
  scope: QuotaScope;
  /** Id of the organization, project or client key, as the scope says. */
  ownerId: number;
  /** Empty: every category, counted together. */
  categories: readonly Category[];
  /** Items per window; 0 refuses everything. */
  limit: number;
  windowSeconds: number;
  /** Machine-readable, in outcomes and in the header: `key_quota`, `project_quota`, `org_quota`. */
  reasonCode: string;
};

/** Beginning of the quota's window that the moment lies in, in milliseconds since the epoch. */
export function windowStartMs({ windowSeconds }: Pick<Quota, 'windowSeconds'>, nowMs: number): number {
  const windowMs = windowSeconds * 1000;
  return Math.floor(nowMs / windowMs) * windowMs;
}
