import { randomBytes } from 'node:crypto';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { Issue } from '#domain/issues/issue.ts';
import { ROLES, type Role } from '#domain/people.ts';
import type { Project } from '#domain/projects.ts';
import { addComment } from '#product/comments/comments.ts';
import type { Context } from '#product/context.ts';
import { createDashboard } from '#product/dashboards/dashboards.ts';
import { getEvent } from '#product/events/get-event.ts';
import { replyToFeedback } from '#product/feedback/reply-to-feedback.ts';
import { applyGroupingRules } from '#product/grouping/grouping-rules.ts';
import { listIssueHashes, mergeIssues } from '#product/grouping/merge-issues.ts';
import { inviteMember } from '#product/invitations/invitations.ts';
import { deleteIssues, listDiscardedIssues } from '#product/issue-deletion/delete-issues.ts';
import { addLink } from '#product/issue-links/issue-links.ts';
import { listMonitors } from '#product/monitors/monitors.ts';
import type { Authorization } from '#product/oauth/authorization.ts';
import { OAUTH_SCOPES } from '#product/oauth/oauth-address.ts';
import { createSavedQuery } from '#product/saved-searches/saved-queries.ts';
import { createSavedSearch } from '#product/saved-searches/saved-searches.ts';
import { startReprocess } from '#product/symbolication/reprocesses.ts';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { FEEDBACK_TYPE, type NormalizedEvent } from '#protocol/event.ts';
import { HOUR_MS, hashOf, makeEvent, NOON_MS, newEventId } from '../../contract/sample-events.ts';
import { makeRow } from '../../contract/sample-telemetry.ts';
import { IS_FULL } from '../../harness/is-full.ts';
import { openFilledProduct } from '../fill-telemetry.ts';
import type { Product } from '../open-product.ts';
import { fireRule } from './fire-rule.ts';

export type Joined = Awaited<ReturnType<Product['join']>>;

/** Who asks: each role, and an owner who set the instance up. */
export const ASKERS = [...ROLES, 'instance_owner'] as const;
export type Asker = (typeof ASKERS)[number];

/** Takes what is written, and sends it nowhere. */
export const MAILER = { ...createNoMailer(), isConfigured: true };

/** A question of Explore that can be asked everywhere. */
export const SAVED_QUERY = {
  query: '',
  isShared: false,
  dataset: 'spans',
  question: {
    view: 'groups',
    fields: ['span.description'],
    groupBy: ['transaction'],
    functions: ['count()'],
    sort: null,
    isCompared: false,
    projects: [],
    environments: [],
    time: { kind: 'last', period: '14d' },
  },
} as const;

/** Whom a row is tried with: who may only just, and who may not quite; in the full run everybody. */
export const askersAround = <Role extends string>(needs: Role, all: readonly Role[]): readonly Role[] =>
  IS_FULL ? all : all.slice(Math.max(0, all.indexOf(needs) - 1), all.indexOf(needs) + 1);

const ISSUES_AT_ONCE = 32;

/**
 * A filled organization with somebody of each role, and ways to make what a verb is tried on. Nobody is in a team but who
 * is put there.
 */
export async function openMatrixScene({ isOpen = true } = {}) {
  const filled = await openFilledProduct({ isOpen });
  const { product, mine, web } = filled;
  const askers = {} as Record<Asker, Joined>;
  for (const role of ROLES) askers[role] = await product.join(mine, role);
  askers.instance_owner = await product.join(mine, 'owner', true);
  const owner = askers.instance_owner;
  const unique = () => randomBytes(4).toString('hex');
  /** Of `web`, which nobody was given yet: one batch costs as much as one issue. */
  const spareIssues: Issue[] = [];

  /** An issue of its own, so that what is done to it disturbs nobody. */
  async function newIssue(projectId = web.id): Promise<Issue> {
    if (projectId !== web.id) return (await makeIssues(projectId, 1))[0]!;
    if (spareIssues.length === 0) spareIssues.push(...(await makeIssues(web.id, ISSUES_AT_ONCE)));
    return spareIssues.pop()!;
  }

  async function makeIssues(projectId: number, count: number): Promise<Issue[]> {
    const titles = Array.from({ length: count }, () => `Error ${unique()}`);
    await product.ingest(
      mine,
      titles.map((title) => ({ projectId, title, groupingHash: hashOf(title) })),
    );
    const { issues } = await product.stores.issues.search(
      mine.id,
      [projectId],
      { kind: 'and', parts: [] },
      { sort: 'new', limit: 100 },
    );
    return issues.filter(({ title }) => titles.includes(title));
  }

  /** An issue of a feedback whose sender left an address. */
  async function newFeedback(): Promise<Issue> {
    const title = `Feedback ${unique()}`;
    const event = makeEvent({ organizationId: mine.id, projectId: web.id });
    const payload: NormalizedEvent = {
      ...event.payload,
      type: FEEDBACK_TYPE,
      contexts: { feedback: { message: title, contact_email: 'ana@example.com' } },
    };
    const hash = hashOf(title);
    await product.ingest(mine, [
      { ...event, type: FEEDBACK_TYPE, title, groupingHash: hash, groupingHashes: [hash], payload },
    ]);
    return (await product.stores.issues.findByHash(mine.id, web.id, hash))!;
  }

  /** A reply whose mail failed, with the feedback that it answers. */
  async function newFailedReply(): Promise<{ issue: Issue; replyId: number }> {
    const issue = await newFeedback();
    const { id } = await replyToFeedback(owner, MAILER, issue, { eventId: null, text: 'Fixed' });
    await product.db.updateTable('deliveries').set({ state: 'failed' }).where('reply_id', '=', id).execute();
    return { issue, replyId: id };
  }

  async function newDiscarded(): Promise<number> {
    const issue = await newIssue();
    await deleteIssues(owner, { issueIds: [issue.id], discard: true });
    const discarded = await listDiscardedIssues(owner, web.slug);
    return discarded.find(({ shortId }) => shortId === issue.shortId)!.id;
  }

  /** A project with events and a job that regroups them, which nobody has begun. */
  async function newRegroup(): Promise<number> {
    const project = await newProject();
    await newIssue(project.id);
    const change = await applyGroupingRules(owner, {
      projectSlug: project.slug,
      to: 'history',
      basedOn: 0,
      rules: { fingerprint: 'error.type:TypeError -> one', stackTrace: '' },
    });
    return change!.id;
  }

  /** In a project of its own, which nobody has begun. */
  async function newReprocess(): Promise<number> {
    const { slug } = await newProject();
    const scope = { kind: 'release', version } as const;
    return (await startReprocess(owner, { projectSlug: slug, scope })).id;
  }

  async function newMerge() {
    const [target, child] = [await newIssue(), await newIssue()];
    const { change } = await mergeIssues(owner, {
      issueIds: [target.id, child.id],
      targetId: target.id,
    });
    const hashes = await listIssueHashes(owner, target, { limit: 10, withEvents: false });
    return { id: change.id, target, hashes: hashes.map(({ hash }) => hash) };
  }

  const team = await product.stores.teams.create(mine.id, { slug: 'team-web', name: 'Team Web' });
  await product.stores.teams.setProject(mine.id, team.id, web.id, true);

  /** Of the team that has `web`, as every other one. */
  async function newProject(): Promise<Project> {
    const project = await product.createProject(mine, `p-${unique()}`);
    await product.stores.teams.setProject(mine.id, team.id, project.id, true);
    return project;
  }

  /** Of `web`, with a segment whose content is not stored. */
  async function newReplay(): Promise<string> {
    const replayId = newEventId();
    const origin = { organizationId: mine.id, projectId: web.id, receivedAt: NOON_MS, replayId };
    const rows = {
      replays: [makeRow('replays', origin)],
      replaySegments: [makeRow('replaySegments', origin)],
    };
    await product.stores.telemetry.insert(rows, replayId);
    return replayId;
  }

  async function newKey(): Promise<{ projectSlug: string; keyId: number; publicKey: string }> {
    const { slug, id } = await newProject();
    const [key] = await product.stores.projects.listKeys(mine.id, id);
    return { projectSlug: slug, keyId: key!.id, publicKey: key!.publicKey };
  }

  async function newRelease(): Promise<string> {
    const version = `build-${unique()}`;
    await product.stores.releases.save(mine.id, { version, projectIds: [web.id], change: {} }, NOON_MS);
    return version;
  }

  /** What `web` uses, by a code mapping. */
  async function newRepository() {
    const draft = { name: `acme/${unique()}`, provider: 'github', url: null, linkTemplate: null } as const;
    const repository = await product.stores.repositories.create(mine.id, draft, NOON_MS);
    await mapCode(repository.id);
    return repository;
  }

  const mapCode = async (repositoryId: number): Promise<number> => {
    const draft = {
      projectId: web.id,
      repositoryId,
      stackRoot: unique(),
      sourceRoot: '',
      defaultBranch: 'main',
    };
    return (await product.stores.codeMappings.save(mine.id, draft, NOON_MS))!.mapping.id;
  };

  const version = 'web@1.0.0';
  await product.ingest(mine, [
    { projectId: web.id, release: version, title: 'Released', environment: 'production' },
  ]);

  const { destinationId } = await fireRule(filled);

  return {
    ...filled,
    askers,
    owner,
    unique,
    /** Of a release that sent an event. */
    version,
    newIssue,
    newDiscarded,
    newFeedback,
    newFailedReply,
    newRegroup,
    newReprocess,
    newMerge,
    newProject,
    newReplay,
    newKey,
    /** Made by a build: nothing happened in it. */
    newRelease,
    newRepository,
    newCodeMapping: async () => mapCode((await newRepository()).id),
    team,
    /** Of the organization; it was told of an alert of `web`. */
    destinationId,
    newTeam: () => product.stores.teams.create(mine.id, { slug: `t-${unique()}`, name: 'Team' }),
    newMember: (role: Role = 'viewer') => product.join(mine, role),
    /** Of the same people, who are what they are in the first one only by their context. */
    newOrganization: () => product.createOrganization(),
    newInvitation: async () =>
      (
        await inviteMember(owner, createNoMailer(), {
          email: `${unique()}@example.com`,
          role: 'viewer',
          teams: [],
        })
      ).invitation,
    newAuthorization: async (): Promise<Authorization> => {
      const client = { id: unique(), name: 'Agent', redirectUris: ['http://127.0.0.1/'], createdAt: NOON_MS };
      await product.stores.oauth.addClient(client, { sinceMs: 0, max: 1_000 });
      const scopes = OAUTH_SCOPES;
      return { client, redirectUri: 'http://127.0.0.1/', state: null, scopes, challenge: 'c' };
    },
    newOrganizationToken: async () => (await createOrganizationToken(owner, { name: 'Build' })).record,
    newComment: async (userId: string) => {
      const written = await addComment(
        { ...owner, actor: { ...owner.actor, userId } as Context['actor'] },
        filled.issue,
        { text: 'Of the matrix' },
      );
      return written.id;
    },
    newLink: async () =>
      (await addLink(owner, filled.issue, { url: `https://tracker.example.com/${unique()}` })).id,
    newSearch: async (userId: string) =>
      (
        await createSavedSearch(
          { ...owner, actor: { ...owner.actor, userId } as Context['actor'] },
          { name: unique(), query: 'is:unresolved', sort: 'date', isShared: false },
        )
      ).id,
    newQuery: async (userId: string) =>
      (
        await createSavedQuery(
          { ...owner, actor: { ...owner.actor, userId } as Context['actor'] },
          { ...SAVED_QUERY, name: unique() },
        )
      ).id,
    newDashboard: async (filters: { projects?: readonly string[] } = {}) =>
      (await createDashboard(owner, { title: unique(), filters })).id,
    storedEvent: async () =>
      (await getEvent(owner, { projectSlug: web.slug, eventId: filled.error.eventId })).event,
    monitorSlug: async () => {
      const { rows } = await listMonitors(owner, { projectSlugs: [], cursor: null, limit: 10 });
      return rows[0]!.slug;
    },
    range: { fromMs: NOON_MS - HOUR_MS, toMs: NOON_MS + HOUR_MS },
  };
}

export type MatrixScene = Awaited<ReturnType<typeof openMatrixScene>>;
