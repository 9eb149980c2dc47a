import { z } from 'zod';
import { ISSUE_UPDATE, readIssueUpdate } from '#app/api/0/endpoints/issues/issue-update.ts';
import { updateSelected } from '#app/api/0/endpoints/issues/update-issues.ts';
import { isSentryCli } from '#app/api/0/is-sentry-cli.ts';
import { del, get, type Operation, put } from '#app/api/0/operation.ts';
import {
  ENVIRONMENTS,
  PAGE,
  type Parameter,
  PROJECTS,
  type QueryValues,
  RANGE,
  SEARCH,
  text,
  texts,
} from '#app/api/0/query.ts';
import { readSort, readStatsWindow, type StatsWindow } from '#app/api/0/query-values.ts';
import { type LoadPage, Reply } from '#app/api/0/reply.ts';
import { ISSUE, ISSUES_CHANGE, serializeIssue } from '#app/api/0/shapes/issue.ts';
import type { IssueSort } from '#domain/issues/issue.ts';
import { invalid, notFound } from '#lib/errors.ts';
import { ownValue } from '#lib/own-value.ts';
import type { Context } from '#product/context.ts';
import { deleteIssues } from '#product/issue-deletion/delete-issues.ts';
import { findPeopleViews } from '#product/issue-user-state/user-state.ts';
import { countFoundIssues } from '#product/issues/count-found-issues.ts';
import { findMatchingIssues } from '#product/issues/find-issues.ts';
import { selectIssues } from '#product/issues/get-issue.ts';
import { countIssues } from '#product/issues/issue-counts.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { requireRight } from '#product/permissions.ts';
import { listVisibleProjects } from '#product/visible-projects.ts';
import { parseEventId } from '#protocol/event-id.ts';

const DEFAULT_QUERY = 'is:unresolved';

const LIST_QUERY = {
  ...PAGE,
  ...RANGE,
  ...ENVIRONMENTS,
  ...SEARCH,
  sort: {
    schema: z.string().describe('date, new, trends, freq, user, or priority'),
    read: readSort,
  } satisfies Parameter<IssueSort>,
  collapse: texts('Parts to leave out: lifetime'),
  stats: {
    schema: { groupStatsPeriod: z.string().describe('Stats period: 24h, 14d, auto, or none') },
    read: (searchParams, _, ctx) => readStatsWindow(searchParams, ctx.now()),
  } satisfies Parameter<StatsWindow | null>,
};

const SELECTION = { id: texts('Issue IDs'), ...SEARCH };
const CHANGE_SELECTION = {
  ...SELECTION,
  status: text('resolved, unresolved, or muted; sent by sentry-cli'),
};

export const issueListOperations: readonly Operation[] = [
  /** Source: https://docs.sentry.io/api/events/list-an-organizations-issues/ */
  get('organizations/[org]/issues', {
    summary: 'Lists issues',
    scopes: ['event:read'],
    query: { ...LIST_QUERY, ...PROJECTS },
    refuses: ['savedSearch', 'searchId'],
    answer: z.array(ISSUE),
    isPaged: true,
    handle: async ({ ctx, query, page }) => page(loadIssues(ctx, query, query.projectSlugs)),
  }),

  /** By search, up to 100 each. Source: Sentry's `issues-count`. */
  get('organizations/[org]/issues-count', {
    summary: 'Counts the issues that each search finds',
    scopes: ['event:read'],
    query: { ...RANGE, ...ENVIRONMENTS, ...PROJECTS, query: texts('Search queries') },
    answer: z.record(z.string(), z.number()),
    async handle({ ctx, query: { query: queries, ...input } }) {
      return Object.fromEntries(await countFoundIssues(ctx, { ...input, queries }));
    },
  }),

  /** Source: https://docs.sentry.io/api/events/list-a-projects-issues/ */
  get('projects/[org]/[project]/issues', {
    summary: "Lists a project's issues",
    scopes: ['event:read'],
    query: LIST_QUERY,
    refuses: ['savedSearch', 'searchId'],
    answer: z.array(ISSUE),
    isPaged: true,
    handle: async ({ ctx, project, query, page }) => page(loadIssues(ctx, query, [project.slug])),
  }),

  /** Source: https://docs.sentry.io/api/events/bulk-mutate-an-organizations-issues/ */
  put('organizations/[org]/issues', {
    summary: 'Updates up to 1,000 issues',
    scopes: ['event:write'],
    query: { ...CHANGE_SELECTION, ...PROJECTS },
    body: ISSUE_UPDATE,
    answer: ISSUES_CHANGE,
    otherStatus: 204,
    handle: (call) => changeIssues(call, call.query.projectSlugs),
  }),

  /** Source: https://docs.sentry.io/api/events/bulk-mutate-a-list-of-issues/ */
  put('projects/[org]/[project]/issues', {
    summary: "Updates up to 1,000 of a project's issues",
    scopes: ['event:write'],
    query: CHANGE_SELECTION,
    body: ISSUE_UPDATE,
    answer: ISSUES_CHANGE,
    otherStatus: 204,
    handle: (call) => changeIssues(call, [call.project.slug]),
  }),

  /** Source: https://docs.sentry.io/api/events/bulk-remove-an-organizations-issues/ */
  del('organizations/[org]/issues', {
    summary: 'Deletes up to 1,000 issues',
    scopes: ['event:admin'],
    query: { ...SELECTION, ...PROJECTS },
    answer: null,
    handle: ({ ctx, query }) => deleteSelected(ctx, query, query.projectSlugs),
  }),

  /** Source: https://docs.sentry.io/api/events/bulk-remove-a-list-of-issues/ */
  del('projects/[org]/[project]/issues', {
    summary: "Deletes up to 1,000 of a project's issues",
    scopes: ['event:admin'],
    query: SELECTION,
    answer: null,
    handle: ({ ctx, project, query }) => deleteSelected(ctx, query, [project.slug]),
  }),
];

/** Issues of the given projects, all visible ones for none, as the query asks. */
function loadIssues(
  ctx: Context,
  { search, stats, collapse, ...query }: QueryValues<typeof LIST_QUERY>,
  projectSlugs: readonly string[],
): LoadPage {
  const input = {
    query: readSearch(search),
    projectSlugs,
    sort: query.sort,
    range: query.range,
    environments: query.environments,
    limit: query.limit,
  };
  return async (cursor) => {
    const [list, projects] = await Promise.all([
      listIssues(ctx, { ...input, cursor, withActivity: false }),
      listVisibleProjects(ctx),
    ]);
    const [people, counts] = await Promise.all([
      findPeopleViews(
        ctx,
        list.issues.map(({ id }) => id),
      ),
      countIssues(ctx, list.issues, {
        ...input,
        chart: stats,
        withLifetime: !collapse.includes('lifetime'),
      }),
    ]);
    const chart = stats && { name: stats.name, fromMs: stats.range.fromMs, bucketMs: stats.bucketMs };
    const projectById = new Map(projects.map((project) => [project.id, project]));
    const rows = list.issues.map((row) => {
      const { organization, publicUrl } = ctx;
      const project = projectById.get(row.projectId) ?? null;
      const listed = { chart, counts: counts?.get(row.id) ?? null };
      return serializeIssue(
        row,
        { organization, project, publicUrl, people: people.get(row.id), listed },
        [],
      );
    });
    return { rows, nextCursor: list.nextCursor };
  };
}

/** An event id alone asks for the issue of that event. */
function readSearch(search: string | null): string {
  const query = search ?? DEFAULT_QUERY;
  const eventId = parseEventId(query.trim());
  return eventId === null ? query : `id:${eventId}`;
}

type IssuesChange = {
  ctx: Context;
  query: QueryValues<typeof CHANGE_SELECTION>;
  body: z.infer<typeof ISSUE_UPDATE>;
  request: Request;
};

/** Changes the issues that `id` names, as often as needed, or else those that `query` finds. */
async function changeIssues(
  { ctx, query: { id, search, status }, body, request }: IssuesChange,
  projectSlugs: readonly string[],
) {
  requireRight(ctx, 'event:write');
  const change = await readIssueUpdate(ctx, body);
  const named = readIds(id);
  const query = search ?? queryOfSentryCli(request, status);
  if (named.length === 0 && query === null) {
    throw invalid('No issues specified: add ?id=… for each issue to update, or ?query=…', 'id');
  }
  const issues =
    named.length > 0
      ? await selectIssues(ctx, named, projectSlugs)
      : await findMatchingIssues(ctx, { query: query ?? '', projectSlugs });
  if (issues.length === 0 && named.length > 0) throw notFound('None of these issues exist');
  const answer = await updateSelected(ctx, issues, change);
  return issues.length === 0 ? new Reply(null, { status: 204 }) : answer;
}

/** The states by which sentry-cli chooses issues, in the language of the search. */
const STATUS_QUERIES: Readonly<Record<string, string>> = {
  resolved: 'is:resolved',
  unresolved: 'is:unresolved',
  muted: 'is:archived',
};

/** `issues … --status` names a state only; `--all` names nothing, which from anybody else is a mistake. */
function queryOfSentryCli(request: Request, status: string | null): string | null {
  if (status === null) return isSentryCli(request) ? '' : null;
  const query = ownValue(STATUS_QUERIES, status);
  if (query !== undefined) return query;
  throw invalid(`status must be ${Object.keys(STATUS_QUERIES).join(' or ')}`, 'status');
}

/** Deletes the issues that `id` names, as often as needed, or else those that `query` finds. */
async function deleteSelected(
  ctx: Context,
  { id, search }: QueryValues<typeof SELECTION>,
  projectSlugs: readonly string[],
): Promise<void> {
  requireRight(ctx, 'event:admin');
  const named = readIds(id);
  if (named.length === 0 && search === null) {
    throw invalid('No issues specified: add ?id=… for each issue to delete, or ?query=…', 'id');
  }
  const issueIds =
    named.length > 0
      ? named
      : (await findMatchingIssues(ctx, { query: search ?? '', projectSlugs })).map((issue) => issue.id);
  const { deleted } = await deleteIssues(ctx, { issueIds, discard: false, projectSlugs });
  if (deleted.length === 0 && named.length > 0) throw notFound('None of these issues exist');
}

const readIds = (ids: readonly string[]): number[] =>
  ids.map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : Number.NaN));
