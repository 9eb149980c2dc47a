import { SELF_PROJECT_SLUG } from '#product/accounts/set-up-instance.ts';
import type { ProjectStore } from '#product/projects/store/project-store.ts';
import type { SelfReporting } from '#product/services.ts';
import { formatDsn } from '#protocol/dsn.ts';

/** Where Errata reports its own errors; null before the set-up, and while the project has no active key. */
export async function findSelfReporting(
  publicUrl: string,
  projects: ProjectStore,
): Promise<SelfReporting | null> {
  for (const organization of await projects.listOrganizations()) {
    const project = await projects.findProject(organization.id, SELF_PROJECT_SLUG);
    // In another organization it is somebody's own project with this slug.
    if (!project?.isInternal) continue;
    const keys = await projects.listKeys(organization.id, project.id);
    const key = keys.find(({ isActive }) => isActive);
    if (!key) return null;
    return {
      dsn: formatDsn(publicUrl, key.publicKey, project.id),
      organizationId: organization.id,
      projectId: project.id,
    };
  }
  return null;
}
