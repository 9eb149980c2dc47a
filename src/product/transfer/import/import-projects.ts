import { isErrataError, messageOf } from '#lib/errors.ts';
import type { CommitInput } from '#product/commits/check-commits.ts';
import type { Context } from '#product/context.ts';
import { applyGroupingRules } from '#product/grouping/grouping-rules.ts';
import { updateOwnership } from '#product/ownership/ownership.ts';
import { createProject } from '#product/projects/create-project.ts';
import { saveRelease } from '#product/releases/save-release.ts';
import type { RecordOf } from '../records.ts';
import { giveOnce } from './give-once.ts';
import { note } from './import-report.ts';
import { type ImportState, msOf } from './import-state.ts';
import type { RecordImporter } from './record-importer.ts';

/** Alert rules come with their own records. Platforms and rules that are not known here are left out. */
export const projectImporter: RecordImporter<'project'> = {
  idOf: ({ id }) => id,
  nameOf: ({ slug }) => slug,
  async find(ctx, _state, { slug }) {
    const found = await ctx.stores.projects.findProject(ctx.organization.id, slug);
    return found ? String(found.id) : null;
  },
  async create(ctx, state, record) {
    const { slug, name, platform } = record;
    const input = { slug, name, hasDefaultRules: false };
    const created = await createProject(ctx, { ...input, platform }).catch((error: unknown) => {
      if (!isErrataError(error) || error.field !== 'platform') throw error;
      return createProject(ctx, { ...input, platform: null });
    });
    await importRules(ctx, state, record);
    return String(created.project.id);
  },
  async settle(ctx, state, record, target) {
    const id = target === null ? null : Number(target);
    const known = { id, slug: record.slug, keyId: null };
    state.projects.set(record.id, known);
    if (ctx === null || id === null) return;
    if (!state.isDryRun) await importKeys(ctx, state, record, id);
    const keys = await ctx.stores.projects.listKeys(ctx.organization.id, id);
    const publicKeys = new Set(record.keys.map(({ publicKey }) => publicKey));
    const key = keys.find(({ publicKey }) => publicKeys.has(publicKey)) ?? keys[0];
    state.projects.set(record.id, { ...known, keyId: key?.id ?? null });
    if (state.isDryRun) return;
    await giveOnce(ctx, state, 'team_project', record.id, record.teams, async (team) => {
      const teamId = state.teams.get(team);
      if (!teamId) return false;
      await ctx.stores.teams.setProject(ctx.organization.id, teamId, id, true);
      return true;
    });
  },
};

/** Old DSNs go on working: their key says which project is meant, and their number is accepted with it. */
async function importKeys(
  ctx: Context,
  state: ImportState,
  { id, slug, number, keys }: RecordOf<'project'>,
  projectId: number,
): Promise<void> {
  const keysOf = new Map(keys.map((key) => [key.publicKey, key]));
  await giveOnce(ctx, state, 'project_key', id, [...keysOf.keys()], async (publicKey) => {
    const { label = null, isActive = false } = keysOf.get(publicKey) ?? {};
    const key = { publicKey, label: label ?? 'Imported', isActive, formerProjectId: number };
    const result = await ctx.stores.transfers.importKey(ctx.organization.id, projectId, key);
    if (result !== 'taken') return true;
    note(state.report, {
      kind: 'project',
      id,
      name: slug,
      result: 'failed',
      reason: `The key ${publicKey.slice(0, 6)}… belongs to another project here, so its old DSN sends there`,
    });
    return false;
  });
}

async function importRules(
  ctx: Context,
  state: ImportState,
  { id, slug, fingerprintRules, stackTraceRules, ownershipRules }: RecordOf<'project'>,
): Promise<void> {
  const attempts: [what: string, work: () => Promise<unknown>][] = [];
  if (fingerprintRules || stackTraceRules) {
    const rules = { fingerprint: fingerprintRules ?? '', stackTrace: stackTraceRules ?? '' };
    attempts.push([
      'Grouping rules',
      () => applyGroupingRules(ctx, { projectSlug: slug, to: 'new', basedOn: 0, rules }),
    ]);
  }
  if (ownershipRules) {
    attempts.push([
      'Ownership rules',
      () => updateOwnership(ctx, { projectSlug: slug, change: { rules: ownershipRules } }),
    ]);
  }
  for (const [what, work] of attempts) {
    try {
      await work();
    } catch (error) {
      if (!isErrataError(error)) throw error;
      const reason = `${what} were left out: ${messageOf(error)}`;
      note(state.report, { kind: 'project', id, name: slug, result: 'unmapped', reason });
    }
  }
}

export const environmentImporter: RecordImporter<'environment'> = {
  idOf: ({ project, name }) => `${project} ${name}`,
  nameOf: ({ name }) => name,
  find: async () => null,
  async create(ctx, state, { project, name, firstSeen }) {
    const { id } = requireProject(state, project);
    await ctx.stores.transfers.noteEnvironment(ctx.organization.id, id, {
      name,
      firstSeen: msOf(firstSeen) ?? ctx.now(),
    });
    return name;
  },
};

/** Deploys that a record is compared with: those that are there are not made again. */
const DEPLOYS_COMPARED_MAX = 1_000;

export const releaseImporter: RecordImporter<'release'> = {
  idOf: ({ version }) => version,
  nameOf: ({ version }) => version,
  find: async () => null,
  async create(ctx, state, record) {
    const { version, url, ref, releasedAt } = record;
    await saveRelease(ctx, {
      version,
      projectSlugs: projectsHere(state, record).map(({ slug }) => slug),
      change: { url, ref, releasedAt: msOf(releasedAt) },
      ...commitsOf(record),
    });
    await ctx.stores.transfers.dateRelease(ctx.organization.id, version, {
      firstSeen: msOf(record.firstSeen),
      createdAt: msOf(record.createdAt),
    });
    return version;
  },
  /** A release gets commits and deploys after it was imported. One that was deleted here stays deleted. */
  async settle(ctx, state, record, target) {
    if (ctx === null || target === null || state.isDryRun) return;
    if (record.deploys.length === 0 && record.commits.length === 0) return;
    const projectIds = projectsHere(state, record).map(({ id }) => id);
    const { releases, deploys } = ctx.stores;
    const organizationId = ctx.organization.id;
    const release = await releases.findRelease(organizationId, projectIds, record.version);
    if (release === null) return;
    await addCommits(ctx, release.id, record);
    const limits = { limit: DEPLOYS_COMPARED_MAX, after: null };
    const { deploys: there } = await deploys.list(organizationId, release.id, limits);
    for (const { environment, name, url, startedAt, finishedAt } of record.deploys) {
      const finishedMs = Date.parse(finishedAt);
      if (there.some((one) => one.environment === environment && one.finishedAt === finishedMs)) continue;
      const deploy = { environment, name, url, startedAt: msOf(startedAt), finishedAt: finishedMs };
      await deploys.create(organizationId, { ...deploy, releaseId: release.id }, projectIds, finishedMs);
    }
  },
};

/** Those of the source, unless the release was told others here since. */
async function addCommits(ctx: Context, releaseId: number, record: RecordOf<'release'>): Promise<void> {
  const inSource = new Set(record.commits.map(({ id }) => id.trim()));
  const page = { limit: inSource.size + 1, offset: 0 };
  const there = await ctx.stores.commits.listOfRelease(ctx.organization.id, releaseId, page);
  if (there.length >= inSource.size || there.some(({ key }) => !inSource.has(key))) return;
  await saveRelease(ctx, {
    version: record.version,
    projectSlugs: [],
    change: {},
    ...commitsOf(record),
  });
}

const commitsOf = ({ commits }: RecordOf<'release'>): { commits?: readonly CommitInput[] } =>
  commits.length === 0
    ? {}
    : {
        commits: commits.map((commit) => ({
          id: commit.id,
          repository: commit.repository,
          message: commit.message,
          authorName: commit.author?.name ?? null,
          authorEmail: commit.author?.email ?? null,
          committedAt: msOf(commit.at),
          files: commit.files.map(({ path, change }) => ({ path, type: change })),
        })),
      };

/** Throws as `requireProject` where none of them is here. */
function projectsHere(state: ImportState, { projects }: RecordOf<'release'>) {
  const here = projects.filter((project) => state.projects.get(project)?.id);
  return (here.length === 0 ? projects : here).map((project) => requireProject(state, project));
}

/** Throws an Error whose message is a sentence for the report. */
export function requireProject(
  state: ImportState,
  sourceId: string,
): { id: number; slug: string; keyId: number | null } {
  const project = state.projects.get(sourceId);
  if (project?.id) return { ...project, id: project.id };
  throw new MissingProject(`Its project ${sourceId} is not here`);
}

export class MissingProject extends Error {}
