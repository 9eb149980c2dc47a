import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join as joinPath } from 'node:path';
import { inject } from 'vitest';
import type { Role } from '#domain/people.ts';
import type { Organization, Project } from '#domain/projects.ts';
import type { Actor, Context } from '#product/context.ts';
import type { DigestedEvent } from '#protocol/event.ts';
import { createMigratedClickhouse } from '../contract/engines.ts';
import { openPostgresStores } from '../contract/postgres-stores.ts';
import { makeEvent, NOON_MS } from '../contract/sample-events.ts';
import { storesOver, webStoresOver } from './stores-over.ts';

export const PUBLIC_URL = 'https://errors.example.com';

export type NewEvent = Partial<DigestedEvent> & { projectId: number };

/** What the product needs, over new databases on both embedded engines. The clock stands at noon unless set. */
export async function openProduct() {
  const relational = await openPostgresStores({
    name: 'embedded PostgreSQL',
    url: inject('embeddedPostgresUrl'),
  });
  const clickhouse = createMigratedClickhouse({
    name: 'embedded ClickHouse',
    url: inject('embeddedClickhouseUrl'),
  });
  const folder = mkdtempSync(joinPath(tmpdir(), 'errata-product-'));
  const webStores = webStoresOver(relational.database, clickhouse, folder, PUBLIC_URL);
  const stores = storesOver(relational.database, clickhouse, folder);
  const { accounts, events, projects } = stores;
  const clock = { nowMs: NOON_MS };

  const createOrganization = (): Promise<Organization> => {
    const slug = `org-${randomBytes(4).toString('hex')}`;
    return projects.createOrganization({ slug, name: slug });
  };

  async function createProject(
    organization: Organization,
    slug: string,
    isInternal = false,
  ): Promise<Project> {
    const organizationId = organization.id;
    const input = { organizationId, slug, name: slug, platform: null, isInternal };
    return (await projects.createProject(input)).project;
  }

  const contextFor = (organization: Organization, actor: Actor): Context => ({
    stores,
    organization,
    actor,
    now: () => clock.nowMs,
    publicUrl: PUBLIC_URL,
  });

  /** The context of a new user with the role. */
  async function join(
    organization: Organization,
    role: Role,
    isInstanceOwner = false,
  ): Promise<Context & { userId: string; email: string }> {
    const userId = await relational.createUser(`A ${role}`);
    await accounts.addMembership({ organizationId: organization.id, userId, role });
    const actor: Actor = { kind: 'user', userId, name: `A ${role}`, role, isInstanceOwner };
    return { ...contextFor(organization, actor), userId, email: `${userId}@example.com` };
  }

  /** Stores and assigns events as digest does; answers them. */
  async function ingest(
    organization: Organization,
    inputs: readonly NewEvent[],
  ): Promise<readonly DigestedEvent[]> {
    const made = inputs.map((input) => makeEvent({ organizationId: organization.id, ...input }));
    await events.insertEvents(made, randomBytes(8).toString('hex'));
    await relational.assignNext(made, { nowMs: clock.nowMs });
    return made;
  }

  return {
    clock,
    /** The data directory. */
    folder,
    stores,
    webStores,
    databaseUrl: relational.database.url,
    clickhouseUrl: clickhouse.url,
    db: relational.database.db,
    pool: relational.database.pool,
    assignNext: relational.assignNext,
    createOrganization,
    createProject,
    contextFor,
    join,
    ingest,
    async close() {
      await Promise.all([relational.database.drop(), clickhouse.drop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Product = Awaited<ReturnType<typeof openProduct>>;
