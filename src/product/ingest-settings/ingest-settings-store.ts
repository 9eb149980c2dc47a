import { isDeepStrictEqual } from 'node:util';
import { type Kysely, sql } from 'kysely';
import {
  countAccepted,
  listQuotas,
  type QuotaLimit,
  type QuotaOwner,
  replaceQuotas,
  type StoredQuota,
} from '#product/quotas/store/stored-quotas.ts';
import {
  type AdvancedRule,
  BODY_POLICIES,
  BROWSER_FILTERS,
  DEFAULT_INGEST_SETTINGS,
  DEFAULT_ORGANIZATION_PRIVACY,
  type IngestSettings,
  type LegacyBrowser,
  mergePrivacy,
  type PrivacySettings,
} from '#protocol/ingest-settings.ts';
import { isPerformanceIssueType } from '#protocol/performance-issue.ts';
import type { Quota } from '#protocol/rate-limits.ts';
import type { Database } from '#storage/sql/schema.ts';
import { toStorableJson } from '#storage/sql/storable-json.ts';

/** What differs from the defaults is kept as it was decided; the rest follows the defaults of the running version. */
export type ProjectIngestSettings = { projectId: number; organizationId: number; settings: IngestSettings };

/** Settings of what is taken in, by project, and of the organization over it. Source: PostgreSQL. */
export function createIngestSettingsStore(db: Kysely<Database>) {
  return {
    /** Every project's, its organization's privacy rules merged in; for digest's table. At most `limit`. */
    async listEffective(limit: number): Promise<readonly ProjectIngestSettings[]> {
      const rows = await db
        .selectFrom('projects')
        .innerJoin('organizations', 'organizations.id', 'projects.organization_id')
        .select([
          'projects.id as projectId',
          'projects.organization_id as organizationId',
          'projects.ingest_settings as own',
          'organizations.privacy_settings as demanded',
        ])
        .orderBy('projects.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ projectId, organizationId, own, demanded }) => {
        const settings = readIngestSettings(own);
        const organization = readPrivacy(demanded, DEFAULT_ORGANIZATION_PRIVACY);
        const privacy = mergePrivacy(organization, settings.privacy);
        return { projectId, organizationId, settings: { ...settings, privacy } };
      });
    },

    /** The project's own, without the organization's. null when the organization has no such project. */
    async findProject(organizationId: number, projectId: number): Promise<IngestSettings | null> {
      const row = await db
        .selectFrom('projects')
        .select('ingest_settings')
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .executeTakeFirst();
      return row ? readIngestSettings(row.ingest_settings) : null;
    },

    /** Replaces a part of the project's own settings. Answers what they are now; null when there is no such project. */
    async updateProject(
      organizationId: number,
      projectId: number,
      change: Partial<IngestSettings>,
    ): Promise<IngestSettings | null> {
      const kept = toStorableJson(decidedParts(change));
      // One statement: two people who change different parts at once both keep what they decided.
      const row = await db
        .updateTable('projects')
        .set({ ingest_settings: sql`ingest_settings || ${kept}::jsonb` })
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .returning('ingest_settings')
        .executeTakeFirst();
      return row ? readIngestSettings(row.ingest_settings) : null;
    },

    async findOrganizationPrivacy(organizationId: number): Promise<IngestSettings['privacy']> {
      const row = await db
        .selectFrom('organizations')
        .select('privacy_settings')
        .where('id', '=', organizationId)
        .executeTakeFirst();
      return readPrivacy(row?.privacy_settings, DEFAULT_ORGANIZATION_PRIVACY);
    },

    async updateOrganizationPrivacy(
      organizationId: number,
      privacy: IngestSettings['privacy'],
    ): Promise<IngestSettings['privacy']> {
      const row = await db
        .updateTable('organizations')
        .set({ privacy_settings: toStorableJson(decidedFields(DEFAULT_ORGANIZATION_PRIVACY, privacy)) })
        .where('id', '=', organizationId)
        .returning('privacy_settings')
        .executeTakeFirst();
      return readPrivacy(row?.privacy_settings, DEFAULT_ORGANIZATION_PRIVACY);
    },

    /** The limits that people set, of the organization, of one project, or of one of its keys. */
    listQuotas: (organizationId: number): Promise<readonly StoredQuota[]> => listQuotas(db, organizationId),
    /** Replaces all limits of one owner. Throws NotFound when the organization has no such project or key. */
    replaceQuotas: (
      organizationId: number,
      owner: QuotaOwner,
      quotas: readonly QuotaLimit[],
    ): Promise<readonly StoredQuota[]> => replaceQuotas(db, organizationId, owner, quotas),
    /** Items that were accepted of a quota's categories since the beginning of its window, for an edge that starts. */
    countAccepted: (quotas: readonly { quota: Quota; fromMs: number }[]): Promise<readonly number[]> =>
      countAccepted(db, quotas),
  };
}

export type IngestSettingsStore = ReturnType<typeof createIngestSettingsStore>;

function decidedParts({
  filters,
  privacy,
  spike,
  performance,
}: Partial<IngestSettings>): Record<string, unknown> {
  return {
    ...(filters && { filters: decidedFields(DEFAULT_INGEST_SETTINGS.filters, filters) }),
    ...(privacy && { privacy: decidedFields(DEFAULT_INGEST_SETTINGS.privacy, privacy) }),
    ...(spike && { spike: decidedFields(DEFAULT_INGEST_SETTINGS.spike, spike) }),
    ...(performance && { performance: decidedFields(DEFAULT_INGEST_SETTINGS.performance, performance) }),
  };
}

/** Settings from what is stored; fields of an unknown shape count as unset. */
export function readIngestSettings(kept: unknown): IngestSettings {
  const parts = asRecord(kept);
  return {
    filters: readPart(DEFAULT_INGEST_SETTINGS.filters, parts.filters),
    privacy: readPart(DEFAULT_INGEST_SETTINGS.privacy, parts.privacy),
    spike: readPart(DEFAULT_INGEST_SETTINGS.spike, parts.spike),
    performance: readPart(DEFAULT_INGEST_SETTINGS.performance, parts.performance),
  };
}

/** Privacy settings from what was kept of them, over the given defaults. */
export const readPrivacy = (kept: unknown, defaults: PrivacySettings): PrivacySettings =>
  readPart(defaults, kept);

/** The fields that differ from the defaults: what is worth keeping. */
export const decidedFields = <T extends object>(defaults: T, decided: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(decided).filter(
      ([name, value]) =>
        Object.hasOwn(defaults, name) && !isDeepStrictEqual(value, defaults[name as keyof T]),
    ),
  ) as Partial<T>;

function readPart<T extends object>(defaults: T, kept: unknown): T {
  const fields = asRecord(kept);
  const known = Object.entries(defaults).map(([name, value]) => [
    name,
    Object.hasOwn(fields, name) ? readField(name, fields[name], value) : value,
  ]);
  return Object.fromEntries(known) as T;
}

function readField(name: string, kept: unknown, fallback: unknown): unknown {
  if (Array.isArray(fallback)) return Array.isArray(kept) ? kept.filter(ELEMENTS[name] ?? isText) : fallback;
  const values = VALUES[name];
  if (values) return values.includes(kept) ? kept : fallback;
  if (typeof fallback === 'number') return Number.isFinite(kept) ? kept : fallback;
  return typeof kept === typeof fallback ? kept : fallback;
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** What elements of a list must be, where it is not just text. */
const ELEMENTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  legacyBrowsers: (value) => BROWSER_FILTERS.includes(value as LegacyBrowser),
  advancedRules: isAdvancedRule,
  disabledDetectors: (value) => isText(value) && isPerformanceIssueType(value),
};

/** Texts that are one of a few. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  textAttachments: BODY_POLICIES,
  recordings: BODY_POLICIES,
};

const METHODS: readonly unknown[] = ['remove', 'mask', 'hash', 'replace'] satisfies AdvancedRule['method'][];

function isAdvancedRule(value: unknown): boolean {
  const { method, type, pattern, placeholder, selector } = asRecord(value);
  return (
    METHODS.includes(method) &&
    isText(type) &&
    isText(selector) &&
    (pattern === null || isText(pattern)) &&
    (placeholder === null || isText(placeholder))
  );
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
