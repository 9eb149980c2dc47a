import { type Kysely, sql } from 'kysely';
import type { KeyAdmission } from '#domain/projects.ts';
import { makeQuota, type QuotaLimit } from '#product/quotas/store/stored-quotas.ts';
import type { Database } from '#storage/sql/schema.ts';

/** What the built-in project takes unless somebody limits it: everybody who sees the sign-in page has its key. */
export const INTERNAL_KEY_LIMIT: QuotaLimit = { categories: [], limit: 120, windowSeconds: 60 };

type AdmissionRow = Omit<KeyAdmission, 'quotas'> & {
  keyLimits: QuotaLimit[] | null;
  projectLimits: QuotaLimit[] | null;
  organizationLimits: QuotaLimit[] | null;
};

/** Every client key with the limits that reach it. Limits are few, so each kind is gathered once and joined. */
export const selectAdmissions = (db: Kysely<Database>) =>
  db
    .selectFrom('client_keys')
    .innerJoin('projects', 'projects.id', 'client_keys.project_id')
    .leftJoin(limitsOf(db, 'key').as('of_key'), 'of_key.ownerId', 'client_keys.id')
    .leftJoin(limitsOf(db, 'project').as('of_project'), 'of_project.ownerId', 'projects.id')
    .leftJoin(
      limitsOf(db, 'organization').as('of_organization'),
      'of_organization.ownerId',
      'projects.organization_id',
    )
    .select([
      'client_keys.id as keyId',
      'projects.id as projectId',
      'projects.organization_id as organizationId',
      'client_keys.public_key as publicKey',
      'client_keys.is_active as isActive',
      'client_keys.former_project_id as formerProjectId',
      'projects.is_internal as isInternal',
      sql<boolean>`EXISTS (SELECT FROM feedback_forms WHERE feedback_forms.project_id = projects.id)`.as(
        'hasFeedbackForm',
      ),
      'of_key.limits as keyLimits',
      'of_project.limits as projectLimits',
      'of_organization.limits as organizationLimits',
    ])
    .$castTo<AdmissionRow>();

export function toAdmission(row: AdmissionRow): KeyAdmission {
  const { keyLimits, projectLimits, organizationLimits, ...key } = row;
  const ofKey = [...(keyLimits ?? [])];
  if (key.isInternal && !ofKey.some(({ categories }) => categories.length === 0))
    ofKey.push(INTERNAL_KEY_LIMIT);
  return {
    ...key,
    quotas: [
      ...ofKey.map((limit) => makeQuota('key', key.keyId, limit)),
      ...(projectLimits ?? []).map((limit) => makeQuota('project', key.projectId, limit)),
      ...(organizationLimits ?? []).map((limit) => makeQuota('organization', key.organizationId, limit)),
    ],
  };
}

const OWNER = { key: 'key_id', project: 'project_id', organization: 'organization_id' } as const;

/** Limits of one kind, as one list per owner. */
function limitsOf(db: Kysely<Database>, scope: keyof typeof OWNER) {
  const limits = db
    .selectFrom('quotas')
    .select([
      `${OWNER[scope]} as ownerId` as const,
      sql<QuotaLimit[]>`json_agg(json_build_object('categories', categories, 'limit', item_limit,
        'windowSeconds', window_seconds) ORDER BY id)`.as('limits'),
    ])
    .groupBy(OWNER[scope]);
  return scope === 'organization'
    ? limits.where('project_id', 'is', null).where('key_id', 'is', null)
    : limits.where(OWNER[scope], 'is not', null);
}
