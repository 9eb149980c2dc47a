import { randomBytes } from 'node:crypto';
import type { Issue } from '#domain/issues/issue.ts';
import { createIngestSettingsStore } from '#product/ingest-settings/ingest-settings-store.ts';
import { createIssueStore } from '#product/issues/store/issue-store.ts';
import { createProjectStore } from '#product/projects/store/project-store.ts';
import { createOutcomeStore } from '#product/stats/outcome-store.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import type { OutcomeCount } from '#protocol/outcome.ts';
import type { AssignResult } from '#storage/ports/digest.ts';
import { EVERYTHING } from '#storage/ports/search.ts';
import { createDigestStore } from '#storage/postgres/digest/digest-store.ts';
import { createQuarantineStore } from '#storage/postgres/quarantine-store.ts';
import { createMigratedPostgres, type Engine } from './engines.ts';
import { NOON_MS } from './sample-events.ts';

export type Tenant = { organizationId: number; projectId: number; projectSlug: string; keyId: number };

/** Every relational store over one new database, with short ways to what most tests need first. */
export async function openPostgresStores(engine: Engine) {
  const database = await createMigratedPostgres(engine);
  const stores = {
    digest: createDigestStore(database.db),
    ingestSettings: createIngestSettingsStore(database.db),
    issues: createIssueStore(database.db),
    outcomes: createOutcomeStore(database.db),
    projects: createProjectStore(database.db),
    quarantine: createQuarantineStore(database.db),
  };

  /** A new organization with one project. */
  async function createTenant(): Promise<Tenant> {
    const slug = `org-${randomBytes(4).toString('hex')}`;
    const organization = await stores.projects.createOrganization({ slug, name: slug });
    return await createProject(organization.id, `web-${randomBytes(4).toString('hex')}`);
  }

  async function createProject(organizationId: number, projectSlug: string): Promise<Tenant> {
    const { project, key } = await stores.projects.createProject({
      organizationId,
      slug: projectSlug,
      name: projectSlug,
      platform: null,
      isInternal: false,
    });
    return { organizationId, projectId: project.id, projectSlug, keyId: key.id };
  }

  /** Assigns the events as the next stretch of a spool of their own, or of the given one. */
  async function assignNext(
    events: readonly DigestedEvent[],
    options: { spoolId?: string; outcomes?: readonly OutcomeCount[]; nowMs?: number } = {},
  ): Promise<AssignResult> {
    const spoolId = options.spoolId ?? randomBytes(8).toString('hex');
    const from = await stores.digest.findPosition(spoolId);
    const stretch = { spoolId, from, to: from + Math.max(events.length, 1) };
    return await stores.digest.assign(stretch, events, options.outcomes ?? [], [], options.nowMs ?? NOON_MS);
  }

  /** Every issue of the project, oldest first. */
  async function listIssues({ organizationId, projectId }: Tenant): Promise<Issue[]> {
    const { issues } = await stores.issues.search(organizationId, [projectId], EVERYTHING, {
      sort: 'new',
      limit: 1_000,
    });
    return [...issues].sort((a, b) => a.id - b.id);
  }

  async function createUser(name: string): Promise<string> {
    const id = randomBytes(8).toString('hex');
    await database.db
      .insertInto('users')
      .values({ id, name, email: `${id}@example.com` })
      .execute();
    return id;
  }

  return { ...stores, database, createTenant, createProject, createUser, assignNext, listIssues };
}

export type PostgresStores = Awaited<ReturnType<typeof openPostgresStores>>;
