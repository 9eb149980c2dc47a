import { LIST_MAX } from '../../record-parts.ts';
import type { RecordOf } from '../../records.ts';
import { numberOf, textOf, timeOf } from '../foreign-values.ts';
import { type JsonObject, objectOf, objectsOf } from '../json-values.ts';
import { personOf } from '../people.ts';
import type { StepItem } from '../read-steps.ts';
import { type ApiOrganization, ifThere, listObjects } from './api-organization.ts';
import { pagesOf } from './api-pages.ts';
import type { SentryRequests } from './api-requests.ts';
import type { SentryApi } from './sentry-api.ts';

type Release = RecordOf<'release'>;

/** Newest first, as the API lists them; a `mark` follows each page. */
export async function* readReleases(
  api: SentryApi,
  requests: SentryRequests,
  { projects }: ApiOrganization,
  after: string | null,
): AsyncGenerator<StepItem> {
  const chosen = new Set(projects.map(({ id }) => String(id)));
  for await (const { rows, next } of pagesOf(api, requests.releases, after)) {
    for (const row of objectsOf(rows)) {
      const version = textOf(row.version);
      const of = objectsOf(row.projects)
        .map(({ id }) => String(id))
        .filter((id) => chosen.has(id));
      if (version === null || of.length === 0) continue;
      const commits =
        numberOf(row.commitCount) > 0 ? await ifThere(() => listObjects(api, requests.commits(version))) : [];
      const deploys =
        numberOf(row.deployCount) > 0 ? await ifThere(() => listObjects(api, requests.deploys(version))) : [];
      yield {
        kind: 'release',
        version,
        projects: of,
        firstSeen: timeOf(row.firstEvent),
        createdAt: timeOf(row.dateCreated),
        releasedAt: timeOf(row.dateReleased),
        url: textOf(row.url),
        ref: textOf(row.ref),
        commits: (commits ?? []).slice(0, LIST_MAX).flatMap(commitOf),
        deploys: (deploys ?? []).slice(0, LIST_MAX).flatMap(deployOf),
      };
    }
    if (next !== null) yield { kind: 'mark', after: next };
  }
}

function commitOf(commit: JsonObject): Release['commits'] {
  const id = textOf(commit.id);
  const at = timeOf(commit.dateCreated);
  const repository = textOf(objectOf(commit.repository)?.name);
  if (id === null || at === null || repository === null) return [];
  const author = objectOf(commit.author);
  return [
    {
      id,
      repository,
      message: textOf(commit.message, 100_000) ?? '',
      author: author ? personOf(author.email, author.name) : null,
      at,
      files: [],
    },
  ];
}

function deployOf(deploy: JsonObject): Release['deploys'] {
  const environment = textOf(deploy.environment);
  const finishedAt = timeOf(deploy.dateFinished);
  if (environment === null || finishedAt === null) return [];
  return [
    {
      environment,
      name: textOf(deploy.name),
      url: textOf(deploy.url),
      startedAt: timeOf(deploy.dateStarted),
      finishedAt,
    },
  ];
}
