import { z } from 'zod';
import { answerPage } from '#app/api/0/answer-page.ts';
import { contextOf } from '#app/api/0/api-caller.ts';
import { declare, type Operation } from '#app/api/0/operation.ts';
import { PAGE } from '#app/api/0/parameters.ts';
import { readLimit } from '#app/api/0/read-parameters.ts';
import { AUTHOR, CHANGED_FILE, COMMIT, SUSPECT_COMMIT } from '#app/api/0/schemas/commit.ts';
import {
  serializeAuthor,
  serializeChangedFile,
  serializeCommit,
} from '#app/api/0/serializers/serialize-commit.ts';
import { getEvent } from '#product/events/get-event.ts';
import {
  listReleaseCommits,
  listReleaseFilesChanged,
  listRepositoryCommits,
} from '#product/releases/list-commits.ts';
import { findSuspectCommits, type SuspectCommit } from '#product/suspect-commits/find-suspect-commits.ts';
import { findProject, type ProjectParams } from './find-project.ts';
import { type ReleaseParams, releaseScope } from './release-scope.ts';
import { type RepositoryParams, readRepositoryId } from './repository-endpoints.ts';

const LIST_RELEASE_COMMITS = {
  summary: 'Lists the commits of a release',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: { ...PAGE },
  answer: z.array(COMMIT),
  isPaged: true,
} satisfies Operation;

export const listReleaseCommitsEndpoint = declare<ReleaseParams>(
  LIST_RELEASE_COMMITS,
  async ({ caller, params, url }) => {
    const { ctx, named } = await releaseScope(caller, params);
    const limit = readLimit(url);
    return answerPage(ctx.publicUrl, url, async (cursor) => {
      const { commits, nextCursor } = await listReleaseCommits(ctx, { ...named, limit, cursor });
      return { rows: commits.map(serializeCommit), nextCursor };
    });
  },
);

const LIST_RELEASE_FILES_CHANGED = {
  summary: 'Lists the files that the commits of a release changed',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: { ...PAGE },
  answer: z.array(CHANGED_FILE),
  isPaged: true,
} satisfies Operation;

export const listReleaseFilesChangedEndpoint = declare<ReleaseParams>(
  LIST_RELEASE_FILES_CHANGED,
  async (call) => {
    const { ctx, named } = await releaseScope(call.caller, call.params);
    const limit = readLimit(call.url);
    return answerPage(ctx.publicUrl, call.url, async (cursor) => {
      const { files, nextCursor } = await listReleaseFilesChanged(ctx, { ...named, limit, cursor });
      return { rows: files.map(serializeChangedFile), nextCursor };
    });
  },
);

const LIST_REPOSITORY_COMMITS = {
  summary: 'Lists the commits of a repository',
  scopes: ['project:read', 'project:releases', 'org:ci'],
  query: { ...PAGE },
  answer: z.array(COMMIT),
  isPaged: true,
} satisfies Operation;

/** Source: https://docs.sentry.io/api/organizations/list-a-repositorys-commits/ */
export const listRepositoryCommitsEndpoint = declare<RepositoryParams>(
  LIST_REPOSITORY_COMMITS,
  async (call) => {
    const ctx = contextOf(call.caller, call.params.org);
    const repositoryId = readRepositoryId(call.params);
    const limit = readLimit(call.url);
    return answerPage(ctx.publicUrl, call.url, async (cursor) => {
      const { commits, nextCursor } = await listRepositoryCommits(ctx, { repositoryId, limit, cursor });
      return { rows: commits.map(serializeCommit), nextCursor };
    });
  },
);

const COMMITTERS = {
  summary: 'Tells who may have brought the issue of an event',
  scopes: ['event:read'],
  answer: z.object({ committers: z.array(z.object({ author: AUTHOR, commits: z.array(SUSPECT_COMMIT) })) }),
} satisfies Operation;

/** Who may have brought the issue of an event, by the commits of its first release: Sentry's `committers`. */
export const committersEndpoint = declare<ProjectParams & { event: string }>(COMMITTERS, async (call) => {
  const { ctx, project } = await findProject(call.caller, call.params);
  const { event, issue } = await getEvent(ctx, { projectSlug: project.slug, eventId: call.params.event });
  const suspects = await findSuspectCommits(
    ctx,
    issue ?? { projectId: project.id, firstRelease: null },
    event,
  );
  return { body: { committers: groupByAuthor(suspects) } };
});

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
