import type { Project } from '#domain/projects.ts';
import { audited } from '#product/audit/audited.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { checkVersion } from '#product/releases/check-release.ts';
import { listVisibleProjects, selectProjects } from '#product/visible-projects.ts';
import type { ArtifactStore } from './store/artifact-store.ts';
import { servesOthers } from './upload-projects.ts';

/** Of one statement, with thousands of files each; of one request. */
const BUNDLES_AT_ONCE = 50;
const ROUNDS_MAX = 200;

/** Deletes uploads of a release and returns how many. Throws Forbidden when hidden projects use one, too. */
export async function deleteReleaseArtifacts(
  ctx: Context,
  input: { version: string; projectSlugs: readonly string[] },
): Promise<{ bundles: number }> {
  requireRight(ctx, 'project:write');
  const version = checkVersion(input.version);
  const projects = await selectProjects(ctx, input.projectSlugs);
  const visible = await listVisibleProjects(ctx);
  const release = { version, projectIds: idsOf(projects), visibleIds: idsOf(visible) };
  const bundles = await audited(
    ctx,
    (ctx) => deleteAll(ctx, release),
    (sum) =>
      sum === 0
        ? null
        : {
            action: 'release-artifacts.remove',
            target: { kind: 'release', id: null, name: version },
            data: { projects: projects.map(({ slug }) => slug), uploads: sum },
          },
  );
  return { bundles };
}

/** What it throws, undoes what it deleted. */
async function deleteAll(
  { stores, organization }: Context,
  release: { version: string; projectIds: readonly number[]; visibleIds: readonly number[] },
): Promise<number> {
  const { artifacts } = stores;
  let sum = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const deleted = await artifacts.deleteOfRelease(organization.id, { ...release, limit: BUNDLES_AT_ONCE });
    sum += deleted;
    if (deleted < BUNDLES_AT_ONCE) {
      await requireNoneLeft(artifacts, organization.id, release);
      break;
    }
  }
  return sum;
}

async function requireNoneLeft(
  artifacts: Pick<ArtifactStore, 'listBundles'>,
  organizationId: number,
  { projectIds, version }: { projectIds: readonly number[]; version: string },
): Promise<void> {
  const any = { kind: null, version, search: '', limit: 1, after: null };
  const { bundles } = await artifacts.listBundles(organizationId, projectIds, any);
  if (bundles.length > 0) throw servesOthers();
}

const idsOf = (projects: readonly Project[]): readonly number[] => projects.map(({ id }) => id);
