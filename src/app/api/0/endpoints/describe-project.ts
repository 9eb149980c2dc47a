import { serializePrivacy } from '#app/api/0/serializers/serialize-privacy.ts';
import { serializeProject } from '#app/api/0/serializers/serialize-project.ts';
import type { Project } from '#domain/projects.ts';
import type { Context } from '#product/context.ts';
import { getGroupingRules } from '#product/grouping/grouping-rules.ts';
import { getProjectPrivacy } from '#product/privacy/privacy-settings.ts';
import { listProjectReleases } from '#product/releases/list-releases.ts';

/** A project with its settings. Source of the fields: https://docs.sentry.io/api/projects/retrieve-a-project/ */
export async function describeProject(ctx: Context, project: Project) {
  const [teams, privacy, grouping, releases] = await Promise.all([
    ctx.stores.teams.list(ctx.organization.id),
    getProjectPrivacy(ctx, project.slug),
    getGroupingRules(ctx, project.slug),
    listProjectReleases(ctx, [project.id], ''),
  ]);
  const { newest } = releases;
  const { team, ...summary } = serializeProject(ctx, project, teams);
  return {
    ...summary,
    ...(team !== null && { team }),
    ...serializePrivacy(privacy.project),
    latestRelease: newest === null ? null : { version: newest },
    options: {},
    fingerprintingRules: grouping.active.fingerprint,
    groupingEnhancements: grouping.active.stackTrace,
    // An issue stays open until somebody or a release closes it.
    resolveAge: 0,
    plugins: [],
    processingIssues: 0,
    defaultEnvironment: null,
  };
}
