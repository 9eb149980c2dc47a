import type { IngestSettings } from '#protocol/ingest-settings.ts';
import type { Quota } from '#protocol/rate-limits.ts';

/** What differs from the defaults is kept as it was decided; the rest follows the defaults of the running version. */
export type ProjectIngestSettings = { projectId: number; organizationId: number; settings: IngestSettings };

/** Settings of what is taken in, by project, and of the organization over it. Source: PostgreSQL. */
export interface IngestSettingsStore {
  /** Every project's, its organization's privacy rules merged in; for digest's table. At most `limit`. */
  listEffective(limit: number): Promise<readonly ProjectIngestSettings[]>;
  /** The project's own, without the organization's. null when the organization has no such project. */
  findProject(organizationId: number, projectId: number): Promise<IngestSettings | null>;
  /** Replaces a part of the project's own settings. Answers what they are now; null when there is no such project. */
  updateProject(
    organizationId: number,
    projectId: number,
    change: Partial<IngestSettings>,
  ): Promise<IngestSettings | null>;
  findOrganizationPrivacy(organizationId: number): Promise<IngestSettings['privacy']>;
  updateOrganizationPrivacy(
    organizationId: number,
    privacy: IngestSettings['privacy'],
  ): Promise<IngestSettings['privacy']>;
  /** The limits that people set, of the organization, of one project, or of one of its keys. */
  listQuotas(organizationId: number): Promise<readonly StoredQuota[]>;
  /** Replaces all limits of one owner. Throws NotFound when the organization has no such project or key. */
  replaceQuotas(
    organizationId: number,
    owner: QuotaOwner,
    quotas: readonly QuotaLimit[],
  ): Promise<readonly StoredQuota[]>;
  /** Items that were accepted of a quota's categories since the beginning of its window, for an edge that starts. */
  countAccepted(quotas: readonly { quota: Quota; fromMs: number }[]): Promise<readonly number[]>;
}

export type QuotaOwner =
  | { scope: 'organization' }
  | { scope: 'project'; projectId: number }
  | { scope: 'key'; keyId: number };

export type QuotaLimit = Pick<Quota, 'categories' | 'limit' | 'windowSeconds'>;

export type StoredQuota = QuotaLimit & { id: number; owner: QuotaOwner };
