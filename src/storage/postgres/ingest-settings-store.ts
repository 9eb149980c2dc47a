import { type Kysely, sql } from 'kysely';
import {
  DEFAULT_INGEST_SETTINGS,
  DEFAULT_ORGANIZATION_PRIVACY,
  type IngestSettings,
  mergePrivacy,
} from '#protocol/ingest-settings.ts';
import type { IngestSettingsStore } from '#storage/ports/ingest-settings.ts';
import { decidedFields, readIngestSettings, readPrivacy } from './decided-settings.ts';
import { countAccepted, listQuotas, replaceQuotas } from './quotas.ts';
import type { Database } from './schema.ts';
import { toStorableJson } from './storable-json.ts';

export function createIngestSettingsStore(db: Kysely<Database>): IngestSettingsStore {
  return {
    async listEffective(limit) {
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

    async findProject(organizationId, projectId) {
      const row = await db
        .selectFrom('projects')
        .select('ingest_settings')
        .where('organization_id', '=', organizationId)
        .where('id', '=', projectId)
        .executeTakeFirst();
      return row ? readIngestSettings(row.ingest_settings) : null;
    },

    async updateProject(organizationId, projectId, change) {
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

    async findOrganizationPrivacy(organizationId) {
      const row = await db
        .selectFrom('organizations')
        .select('privacy_settings')
        .where('id', '=', organizationId)
        .executeTakeFirst();
      return readPrivacy(row?.privacy_settings, DEFAULT_ORGANIZATION_PRIVACY);
    },

    async updateOrganizationPrivacy(organizationId, privacy) {
      const row = await db
        .updateTable('organizations')
        .set({ privacy_settings: toStorableJson(decidedFields(DEFAULT_ORGANIZATION_PRIVACY, privacy)) })
        .where('id', '=', organizationId)
        .returning('privacy_settings')
        .executeTakeFirst();
      return readPrivacy(row?.privacy_settings, DEFAULT_ORGANIZATION_PRIVACY);
    },

    listQuotas: (organizationId) => listQuotas(db, organizationId),
    replaceQuotas: (organizationId, owner, quotas) => replaceQuotas(db, organizationId, owner, quotas),
    countAccepted: (quotas) => countAccepted(db, quotas),
  };
}

function decidedParts({ filters, privacy, spike }: Partial<IngestSettings>): Record<string, unknown> {
  return {
    ...(filters && { filters: decidedFields(DEFAULT_INGEST_SETTINGS.filters, filters) }),
    ...(privacy && { privacy: decidedFields(DEFAULT_INGEST_SETTINGS.privacy, privacy) }),
    ...(spike && { spike: decidedFields(DEFAULT_INGEST_SETTINGS.spike, spike) }),
  };
}
