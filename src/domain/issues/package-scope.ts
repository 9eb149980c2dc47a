import { releasePackage } from '#protocol/release-version.ts';
import type { Issue } from './issue.ts';

/** Releases of a project: of one package (null for those without one), or of all packages. */
export type PackageScope = { projectId: number; package?: string | null };

/**
 * The releases that count for an issue: those of the package that it was last seen in. Before it was seen in any, all
 * of its project.
 */
export const packageScopeOf = ({
  projectId,
  lastRelease,
}: Pick<Issue, 'projectId' | 'lastRelease'>): PackageScope =>
  lastRelease === null ? { projectId } : { projectId, package: releasePackage(lastRelease) };
