import type { ProjectKey } from '#product/projects/client-keys.ts';
import { parseDsn } from '#protocol/dsn.ts';

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
    dsn: serializeDsn(key.dsn, key.publicKey, key.projectId),
    ...NO_LOADER,
    dateCreated: new Date(key.createdAt).toISOString(),
  };
}

/** Without a loader script there is no version of it to choose, and nothing that it could switch on. */
const NO_LOADER = {
  browserSdkVersion: '',
  browserSdk: { choices: [] },
  dynamicSdkLoaderOptions: {
    hasReplay: false,
    hasPerformance: false,
    hasDebug: false,
    hasFeedback: false,
    hasLogsAndMetrics: false,
  },
};

/** Where each kind of sender sends to; `___MONITOR_SLUG___` stands for the name of a monitor, as with Sentry. */
function serializeDsn(dsn: string, publicKey: string, projectId: number) {
  const base = `${parseDsn(dsn)?.baseUrl}/api/${projectId}`;
  const withKey = (endpoint: string) => `${base}/${endpoint}/?sentry_key=${publicKey}`;
  return {
    public: dsn,
    secret: dsn,
    csp: withKey('csp-report'),
    security: withKey('security'),
    minidump: withKey('minidump'),
    nel: withKey('nel'),
    unreal: `${base}/unreal/${publicKey}/`,
    crons: `${base}/cron/___MONITOR_SLUG___/${publicKey}/`,
    integration: `${base}/integration/`,
    otlp_traces: `${base}/integration/otlp/v1/traces`,
    otlp_logs: `${base}/integration/otlp/v1/logs`,
    // There is no loader script, and no entrance for consoles.
    cdn: '',
    playstation: '',
  };
}
