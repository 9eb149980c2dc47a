import { z } from 'zod';
import type { TrackerKind } from '../tracker-kinds.ts';
import type { HookEvent } from './apply-hook-event.ts';

/** Of one push; trackers send fewer. */
const COMMITS_MAX = 1_000;

/** What a verified message reports that is of use here; null for everything else, and for what has another shape. */
export function readHook(kind: TrackerKind, event: string, body: unknown): HookEvent | null {
  return READERS[kind].get(event)?.(body) ?? null;
}

type Reader = (body: unknown) => HookEvent | null;
type Readers = Readonly<Record<string, Reader>>;

const reader =
  <Shape>(schema: z.ZodType<Shape>, read: (value: Shape) => HookEvent | null): Reader =>
  (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? read(parsed.data) : null;
  };

const TEXT = z
  .string()
  .nullish()
  .transform((text) => text ?? '');
const AUTHOR = z
  .object({ email: z.string().nullish() })
  .nullish()
  .transform((author) => author?.email?.trim().toLowerCase() || null);
const COMMITS = z.array(z.object({ id: z.string(), message: TEXT, url: z.string(), author: AUTHOR }));

const toCommits = (commits: z.infer<typeof COMMITS>) =>
  commits
    .slice(0, COMMITS_MAX)
    .map(({ id, message, url, author }) => ({ key: id, message, url, authorEmail: author }));

const BRANCH = 'refs/heads/';

/** Source: https://docs.github.com/en/webhooks/webhook-events-and-payloads */
const GITHUB_REPOSITORY = z.object({ full_name: z.string(), default_branch: TEXT });
const GITHUB: Readers = {
  push: reader(
    z.object({ ref: z.string(), repository: GITHUB_REPOSITORY, commits: COMMITS }),
    ({ ref, repository, commits }) => ({
      kind: 'commits',
      repository: repository.full_name,
      isDefaultBranch: ref === `${BRANCH}${repository.default_branch}`,
      commits: toCommits(commits),
    }),
  ),
  pull_request: reader(
    z.object({
      repository: GITHUB_REPOSITORY,
      pull_request: z.object({
        number: z.int(),
        html_url: z.string(),
        title: TEXT,
        body: TEXT,
        merged: z.boolean().nullish(),
        merge_commit_sha: z.string().nullish(),
        base: z.object({ ref: z.string() }),
      }),
    }),
    ({ repository, pull_request: request }) => ({
      kind: 'request',
      repository: repository.full_name,
      name: `${repository.full_name}#${request.number}`,
      url: request.html_url,
      title: request.title,
      text: request.body,
      mergedAs:
        request.merged && request.base.ref === repository.default_branch
          ? (request.merge_commit_sha ?? null)
          : null,
    }),
  ),
  issues: reader(
    z.object({
      action: z.string(),
      repository: GITHUB_REPOSITORY,
      issue: z.object({
        number: z.int(),
        title: TEXT,
        state: z.string(),
        state_reason: z.string().nullish(),
      }),
    }),
    ({ action, repository, issue }) => ({
      kind: 'issue',
      key: `${repository.full_name}#${issue.number}`,
      title: issue.title,
      ...(action === 'deleted'
        ? DELETED
        : issue.state === 'closed'
          ? {
              state: 'closed',
              stateName: issue.state_reason === 'not_planned' ? 'Closed as not planned' : 'Closed',
            }
          : { state: 'open', stateName: 'Open' }),
    }),
  ),
};

/** Source: https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const GITLAB_PROJECT = z.object({ path_with_namespace: z.string(), default_branch: TEXT });
const gitlabIssue = reader(
  z.object({
    project: GITLAB_PROJECT,
    object_attributes: z.object({ iid: z.int(), title: TEXT, state: z.string() }),
  }),
  ({ project, object_attributes: { iid, title, state } }) => ({
    kind: 'issue',
    key: `${project.path_with_namespace}#${iid}`,
    title,
    ...(state === 'closed' ? { state: 'closed', stateName: 'Closed' } : { state: 'open', stateName: 'Open' }),
  }),
);
const GITLAB: Readers = {
  'Push Hook': reader(
    z.object({ ref: z.string(), project: GITLAB_PROJECT, commits: COMMITS }),
    ({ ref, project, commits }) => ({
      kind: 'commits',
      repository: project.path_with_namespace,
      isDefaultBranch: ref === `${BRANCH}${project.default_branch}`,
      commits: toCommits(commits),
    }),
  ),
  'Merge Request Hook': reader(
    z.object({
      project: GITLAB_PROJECT,
      object_attributes: z.object({
        iid: z.int(),
        url: z.string(),
        title: TEXT,
        description: TEXT,
        state: z.string(),
        target_branch: z.string(),
        merge_commit_sha: z.string().nullish(),
        squash_commit_sha: z.string().nullish(),
        last_commit: z.object({ id: z.string() }).nullish(),
      }),
    }),
    ({ project, object_attributes: request }) => ({
      kind: 'request',
      repository: project.path_with_namespace,
      name: `${project.path_with_namespace}!${request.iid}`,
      url: request.url,
      title: request.title,
      text: request.description,
      // Without a merge commit (fast-forward) it is the last one of its own.
      mergedAs:
        request.state === 'merged' && request.target_branch === project.default_branch
          ? (request.merge_commit_sha ?? request.squash_commit_sha ?? request.last_commit?.id ?? null)
          : null,
    }),
  ),
  'Issue Hook': gitlabIssue,
  'Confidential Issue Hook': gitlabIssue,
};

/** Source: https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
const jiraIssue = (isDeleted: boolean) =>
  reader(
    z.object({
      issue: z.object({
        key: z.string(),
        fields: z.object({
          summary: TEXT,
          status: z.object({ name: z.string(), statusCategory: z.object({ key: z.string() }).nullish() }),
        }),
      }),
    }),
    ({ issue: { key, fields } }) => ({
      kind: 'issue',
      key,
      title: fields.summary,
      ...(isDeleted
        ? DELETED
        : {
            state: fields.status.statusCategory?.key === 'done' ? 'closed' : 'open',
            stateName: fields.status.name,
          }),
    }),
  );
const JIRA: Readers = {
  'jira:issue_created': jiraIssue(false),
  'jira:issue_updated': jiraIssue(false),
  'jira:issue_deleted': jiraIssue(true),
};

/** Source: https://linear.app/developers/webhooks */
const LINEAR: Readers = {
  Issue: reader(
    z.object({
      action: z.string(),
      data: z.object({
        identifier: z.string(),
        title: TEXT,
        state: z.object({ name: z.string(), type: z.string() }),
      }),
    }),
    ({ action, data: { identifier, title, state } }) => ({
      kind: 'issue',
      key: identifier,
      title,
      ...(action === 'remove'
        ? DELETED
        : { state: LINEAR_DONE.includes(state.type) ? 'closed' : 'open', stateName: state.name }),
    }),
  ),
};
const LINEAR_DONE: readonly string[] = ['completed', 'canceled', 'duplicate'];

const DELETED = { state: 'closed', stateName: 'Deleted' } as const;

const READERS: Readonly<Record<TrackerKind, ReadonlyMap<string, Reader>>> = {
  github: new Map(Object.entries(GITHUB)),
  gitlab: new Map(Object.entries(GITLAB)),
  jira: new Map(Object.entries(JIRA)),
  linear: new Map(Object.entries(LINEAR)),
};
