import type { ProjectKey } from '#product/projects/list-project-keys.ts';

/**
 * Source of the fields: https://docs.sentry.io/api/projects/list-a-projects-client-keys/
 * Keys have no secret part here: SDKs have not used one for years, and `dsn.secret` is the same as `dsn.public`.
 */
export function serializeKey(key: ProjectKey) {
  return {
    id: key.publicKey,
    name: key.label,
    label: key.label,
    public: key.publicKey,
    secret: null,
    projectId: key.projectId,
    isActive: key.isActive,
    rateLimit: key.rateLimit && { count: key.rateLimit.count, window: key.rateLimit.windowSeconds },
    dsn: { public: key.dsn, secret: key.dsn },
    dateCreated: new Date(key.createdAt).toISOString(),
  };
}
