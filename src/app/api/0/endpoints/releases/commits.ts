import { z } from 'zod';
import { readRepositoryId } from '#app/api/0/endpoints/releases/repositories.ts';
import { get, type Operation } from '#app/api/0/operation.ts';
import { nameRelease } from '#app/api/0/path-scope.ts';
import { PAGE } from '#app/api/0/query.ts';
import {
  AUTHOR,
  CHANGED_FILE,
  COMMIT,
  SUSPECT_COMMIT,
  serializeAuthor,
  serializeChangedFile,
  serializeCommit,
} from '#app/api/0/shapes/commit.ts';
import { getEvent } from '#product/events/get-event.ts';
import {
  listReleaseCommits,
  listReleaseFilesChanged,
  listRepositoryCommits,
} from '#product/releases/list-commits.ts';
import { findSuspectCommits, type SuspectCommit } from '#product/suspect-commits/find-suspect-commits.ts';

export const commitOperations: readonly Operation[] = [
  get(
    ['organizations/[org]/releases/[version]/commits', 'projects/[org]/[project]/releases/[version]/commits'],
    {
      summary: "Lists a release's commits",
      scopes: ['project:read', 'project:releases', 'org:ci'],
      query: { ...PAGE },
      answer: z.array(COMMIT),
      isPaged: true,
      async handle({ ctx, project, params, query, page }) {
        const named = nameRelease(params, project);
        const { limit } = query;
        return page(async (cursor) => {
          const { commits, nextCursor } = await listReleaseCommits(ctx, { ...named, limit, cursor });
          return { rows: commits.map(serializeCommit), nextCursor };
        });
      },
    },
  ),

  get('organizations/[org]/releases/[version]/commitfiles', {
    summary: "Lists the files changed in a release's commits",
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: { ...PAGE },
    answer: z.array(CHANGED_FILE),
    isPaged: true,
    async handle({ ctx, project, params, query, page }) {
      const named = nameRelease(params, project);
      const { limit } = query;
      return page(async (cursor) => {
        const { files, nextCursor } = await listReleaseFilesChanged(ctx, { ...named, limit, cursor });
        return { rows: files.map(serializeChangedFile), nextCursor };
      });
    },
  }),

  /** Source: https://docs.sentry.io/api/organizations/list-a-repositorys-commits/ */
  get('organizations/[org]/repos/[repo]/commits', {
    summary: "Lists a repository's commits",
    scopes: ['project:read', 'project:releases', 'org:ci'],
    query: { ...PAGE },
    answer: z.array(COMMIT),
    isPaged: true,
    async handle({ ctx, params, query, page }) {
      const repositoryId = readRepositoryId(params);
      const { limit } = query;
      return page(async (cursor) => {
        const { commits, nextCursor } = await listRepositoryCommits(ctx, { repositoryId, limit, cursor });
        return { rows: commits.map(serializeCommit), nextCursor };
      });
    },
  }),

  /** Who may have brought the issue of an event, by the commits of its first release: Sentry's `committers`. */
  get('projects/[org]/[project]/events/[event]/committers', {
    summary: "Lists the suspect commit authors of an event's issue",
    scopes: ['event:read'],
    answer: z.object({ committers: z.array(z.object({ author: AUTHOR, commits: z.array(SUSPECT_COMMIT) })) }),
    async handle({ ctx, project, params }) {
      const { event, issue } = await getEvent(ctx, { projectSlug: project.slug, eventId: params.event });
      const suspects = await findSuspectCommits(
        ctx,
        issue ?? { projectId: project.id, firstRelease: null },
        event,
      );
      return { committers: groupByAuthor(suspects) };
    },
  }),
];

function groupByAuthor(suspects: readonly SuspectCommit[]) {
  const authors = new Map<string, SuspectCommit[]>();
  for (const suspect of suspects) {
    const { email, name } = suspect.commit.author;
    const key = email ?? name ?? '';
    const known = authors.get(key);
    if (known) known.push(suspect);
    else authors.set(key, [suspect]);
  }
  return [...authors.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    return [
      {
        author: serializeAuthor(first.commit.author, first.commit.author.member),
        commits: own.map(({ commit, files, release, why }) => ({
          ...serializeCommit(commit),
          score: suspects.length - suspects.findIndex((suspect) => suspect.commit.id === commit.id),
          suspectCommitType: 'via commit in release',
          // Not fields of the reference.
          files,
          release,
          why,
        })),
      },
    ];
  });
}
