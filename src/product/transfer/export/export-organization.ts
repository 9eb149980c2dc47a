import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import type { RecordOf, TransferRecord } from '../records.ts';
import { personOf } from '../sources/people.ts';
import { exportEvents } from './export-events.ts';
import { exportIssues } from './export-issues.ts';
import { exportRows } from './export-rows.ts';
import { EXPORT_PAGE, type ExportOptions, type ExportScope, timeOf, timeOrNull } from './export-scope.ts';
import { exportSettings, exportUnmapped } from './export-settings.ts';

/**
 * Everything of an organization as records, in the order in which they are read again, with bounded memory. Events that arrive, and
 * changes that are made, while it runs may be in it or not; each record is as it was when it was read. Secrets are never in it.
 * Throws Forbidden.
 */
export async function* exportOrganization(
  ctx: Context,
  options: ExportOptions,
): AsyncGenerator<TransferRecord> {
  requireRight(ctx, 'org:admin');
  const { organization, stores } = ctx;
  const projects = (await stores.projects.listProjects(organization.id)).filter(
    ({ isInternal }) => !isInternal,
  );
  const members = await stores.members.list(organization.id);
  const emails = new Map(members.map(({ userId, email }) => [userId, email]));
  const scope: ExportScope = { ctx, projects, emails, options };
  const { id, slug, name, isOpen } = organization;
  yield { kind: 'organization', id: String(id), slug, name, isOpen };
  const { kinds } = options;
  if (kinds.has('member')) {
    for (const { userId, email, name: called, role } of members) {
      yield { kind: 'member', id: userId, email, name: called || null, role };
    }
  }
  if (kinds.has('team')) yield* exportTeams(scope);
  for (const project of projects) yield await describeProject(scope, project);
  if (kinds.has('environment')) yield* exportEnvironments(scope);
  if (kinds.has('release')) yield* exportReleases(scope);
  if (kinds.has('event')) yield* exportEvents(scope);
  if (kinds.has('issue')) yield* exportIssues(scope);
  yield* exportSettings(scope);
  if (kinds.has('row')) yield* exportRows(scope);
  if (kinds.has('unmapped')) yield* exportUnmapped(scope);
}

async function* exportTeams({ ctx, emails }: ExportScope): AsyncGenerator<RecordOf<'team'>> {
  for (const { id, slug, name, memberIds } of await ctx.stores.teams.list(ctx.organization.id)) {
    const members = memberIds.flatMap((userId) => emails.get(userId) ?? []);
    yield { kind: 'team', id: String(id), slug, name, members };
  }
}

async function describeProject(
  { ctx }: ExportScope,
  { id, slug, name, platform, createdAt }: Project,
): Promise<RecordOf<'project'>> {
  const { organization, stores } = ctx;
  const [keys, teams, rules, ownership] = await Promise.all([
    stores.projects.listKeys(organization.id, id),
    stores.teams.list(organization.id),
    stores.groupingRules.findActive(organization.id, id),
    stores.ownership.find(organization.id, id),
  ]);
  return {
    kind: 'project',
    id: String(id),
    number: id,
    slug,
    name,
    platform,
    teams: teams.filter(({ projectIds }) => projectIds.includes(id)).map((team) => String(team.id)),
    keys: keys.map(({ publicKey, label, isActive }) => ({ publicKey, label: label || null, isActive })),
    createdAt: timeOf(createdAt),
    fingerprintRules: rules.fingerprint || null,
    stackTraceRules: rules.stackTrace || null,
    ownershipRules: ownership?.rules || null,
  };
}

async function* exportEnvironments({ ctx, projects }: ExportScope): AsyncGenerator<RecordOf<'environment'>> {
  const ids = new Set(projects.map(({ id }) => id));
  for (const { projectId, name, firstSeen } of await ctx.stores.exports.listEnvironments(
    ctx.organization.id,
  )) {
    if (!ids.has(projectId) || name === '') continue;
    yield { kind: 'environment', project: String(projectId), name, firstSeen: timeOf(firstSeen) };
  }
}

async function* exportReleases({ ctx, options }: ExportScope): AsyncGenerator<RecordOf<'release'>> {
  for (let after = 0; ; ) {
    options.signal.throwIfAborted();
    const page = await ctx.stores.exports.listReleases(ctx.organization.id, after, EXPORT_PAGE);
    for (const { version, projectIds, commits, deploys, url, ref, ...times } of page) {
      if (projectIds.length === 0) continue;
      yield {
        kind: 'release',
        version,
        projects: projectIds.map(String),
        firstSeen: timeOf(times.firstSeen),
        createdAt: timeOrNull(times.createdAt),
        releasedAt: timeOrNull(times.releasedAt),
        url,
        ref,
        commits: commits.map(({ key, repository, message, authorName, authorEmail, at, files }) => ({
          id: key,
          repository,
          message,
          author: personOf(authorEmail, authorName),
          at: timeOf(Date.parse(at)),
          files: [...files],
        })),
        deploys: deploys.map(({ startedAt, finishedAt, ...deploy }) => ({
          ...deploy,
          startedAt: startedAt && timeOf(Date.parse(startedAt)),
          finishedAt: timeOf(Date.parse(finishedAt)),
        })),
      };
    }
    const last = page.at(-1);
    if (!last) return;
    after = last.id;
  }
}
