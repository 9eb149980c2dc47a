import { answerPage } from '#app/api/0/answer-page.ts';
import type { ApiAnswer } from '#app/api/0/handle-api-request.ts';
import {
  readEnvironments,
  readLimit,
  readRange,
  readSort,
  readStatsWindow,
  refuseParameters,
  type StatsWindow,
} from '#app/api/0/read-parameters.ts';
import { serializeIssue } from '#app/api/0/serializers/serialize-issue.ts';
import type { Context } from '#product/context.ts';
import { findPeopleViews } from '#product/issue-user-state/user-state.ts';
import { type IssueRow, listIssues } from '#product/issues/list-issues.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';

const DEFAULT_QUERY = 'is:unresolved';

/** Issues of the given projects, all visible ones for none, as the query string asks. */
export async function listIssuesEndpoint(
  ctx: Context,
  url: URL,
  projectSlugs: readonly string[],
): Promise<ApiAnswer> {
  refuseParameters(url, ['savedSearch', 'searchId']);
  const nowMs = ctx.now();
  const stats = readStatsWindow(url, nowMs);
  const input = {
    query: readQuery(url),
    projectSlugs,
    sort: readSort(url),
    range: readRange(url, nowMs),
    environments: readEnvironments(url),
    limit: readLimit(url),
    ...(stats ? { activityRange: stats.range, bucketMs: stats.bucketMs } : {}),
  };
  return answerPage(ctx.publicUrl, url, async (cursor) => {
    const [list, projects] = await Promise.all([
      listIssues(ctx, { ...input, cursor }),
      listVisibleProjects(ctx),
    ]);
    const people = await findPeopleViews(
      ctx,
      list.issues.map(({ id }) => id),
    );
    const projectById = new Map(projects.map((project) => [project.id, project]));
    const rows = list.issues.map((row) => {
      const { organization, publicUrl } = ctx;
      const project = projectById.get(row.projectId) ?? null;
      const around = { organization, project, publicUrl, people: people.get(row.id) };
      return serializeIssue(row, around, statsOf(row, stats));
    });
    return { rows, nextCursor: list.nextCursor };
  });
}

/** An event id alone asks for the issue of that event. */
function readQuery(url: URL): string {
  const query = url.searchParams.get('query') ?? DEFAULT_QUERY;
  const eventId = parseEventId(query.trim());
  return eventId === null ? query : `id:${eventId}`;
}

function statsOf({ activity }: IssueRow, stats: StatsWindow | null) {
  return stats && activity
    ? [{ name: stats.name, fromMs: stats.range.fromMs, bucketMs: stats.bucketMs, activity }]
    : [];
}
