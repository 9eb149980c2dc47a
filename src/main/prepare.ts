import type { Log } from '#lib/log.ts';
import { issueSetupToken, needsSetup, setUpInstance } from '#product/accounts/set-up-instance.ts';
import type { WebServices } from '#product/stores.ts';
import { formatDsn } from '#protocol/dsn.ts';
import { createAuthenticator } from '#storage/postgres/auth/authenticator.ts';
import { createChangeFeed } from '#storage/postgres/feeds.ts';
import { type Config, readAdminPassword } from '../config.ts';
import type { FirstRun, RoleInit, UpgradeProgress } from './messages.ts';
import { openStores, sessionUrl } from './open-stores.ts';
import { upgradeStores } from './upgrade/upgrade-stores.ts';

const FIRST_ORGANIZATION = { slug: 'main', name: 'Main' } as const;
const FIRST_PROJECT_SLUG = 'default';

/** Brings both schemas up to date and makes the owner that the environment names, or a one-time set-up address. */
export async function prepare(
  config: Config,
  init: RoleInit,
  log: Log,
  onProgress: (progress: UpgradeProgress) => void,
): Promise<FirstRun> {
  await upgradeStores(config, init, { log, onProgress });
  const opened = await openStores(init, config, { poolMax: 4 });
  const authenticator = createAuthenticator({
    pool: opened.postgres.pool,
    secret: init.secret,
    publicUrl: config.publicUrl,
  });
  const changes = createChangeFeed({ url: sessionUrl(init), log });
  const stores: WebServices = opened.storesWith(({ pool }) => ({
    authenticator: authenticator.over(pool),
    changes,
  }));
  try {
    return await firstRun(config, stores);
  } finally {
    await opened.close();
  }
}

async function firstRun(config: Config, stores: WebServices): Promise<FirstRun> {
  const { publicUrl, admin } = config;
  if (await needsSetup(stores)) {
    if (!admin) {
      const token = await issueSetupToken(stores, Date.now());
      return token
        ? { kind: 'setup', address: `${publicUrl}/setup?token=${token}` }
        : { kind: 'done', dsn: null };
    }
    const { dsn } = await setUpInstance(
      { stores, now: Date.now, publicUrl },
      {
        token: null,
        email: admin.email,
        name: admin.email.split('@')[0] ?? admin.email,
        password: readAdminPassword(admin),
        organizationName: FIRST_ORGANIZATION.name,
        organizationSlug: FIRST_ORGANIZATION.slug,
        projectSlug: FIRST_PROJECT_SLUG,
        platform: null,
      },
    );
    return { kind: 'done', dsn };
  }
  return { kind: 'done', dsn: admin ? await findFirstDsn(publicUrl, stores) : null };
}

/** Scripts that start with the owner in the environment read the DSN on every start. */
async function findFirstDsn(publicUrl: string, stores: WebServices): Promise<string | null> {
  const organization = await stores.projects.findOrganization(FIRST_ORGANIZATION.slug);
  if (!organization) return null;
  const project = await stores.projects.findProject(organization.id, FIRST_PROJECT_SLUG);
  if (!project) return null;
  const keys = await stores.projects.listKeys(organization.id, project.id);
  const key = keys.find(({ isActive }) => isActive);
  return key ? formatDsn(publicUrl, key.publicKey, project.id) : null;
}
