import type { Category } from './outcome.ts';

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
