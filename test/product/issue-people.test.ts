import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Issue } from '#domain/issues/issue.ts';
import type { Organization } from '#domain/projects.ts';
import { findAssignee } from '#product/assignment/assignees.ts';
import { addComment, deleteComment, editComment } from '#product/comments/comments.ts';
import { listActivities } from '#product/comments/list-activities.ts';
import type { Context } from '#product/context.ts';
import { addLink, listLinks, removeLink } from '#product/issue-links/issue-links.ts';
import { findPeopleViews, getIssuePeople, setUserState } from '#product/issue-user-state/user-state.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { listTagValues } from '#product/issues/issue-tags.ts';
import { restoreIssues, updateIssues } from '#product/issues/update-issues.ts';
import {
  createTeam,
  deleteTeam,
  getTeam,
  listTeams,
  setTeamMember,
  setTeamProject,
  updateTeam,
} from '#product/teams/teams.ts';
import { HOSTILE_TEXT, hashOf, NOON_MS } from '../contract/sample-events.ts';
import { openProduct, type Product } from './open-product.ts';

type Joined = Context & { userId: string; email: string };

let product: Product;
let mine: Organization;
let theirs: Organization;
let viewer: Joined;
let member: Joined;
let other: Joined;
let manager: Joined;
let stranger: Joined;
let issue: Issue;

beforeAll(async () => {
  product = await openProduct();
  mine = await product.createOrganization();
  theirs = await product.createOrganization();
  [viewer, member, other, manager, stranger] = await Promise.all([
    product.join(mine, 'viewer'),
    product.join(mine, 'member'),
    product.join(mine, 'member'),
    product.join(mine, 'manager'),
    product.join(theirs, 'owner', true),
  ]);
  const web = await product.createProject(mine, 'web');
  await product.createProject(theirs, 'other');
  await product.ingest(mine, [
    { projectId: web.id, tags: [['browser', 'Safari']] },
    { projectId: web.id, tags: [['browser', 'Safari']] },
    { projectId: web.id, tags: [['browser', 'Chrome']] },
    { projectId: web.id, groupingHash: hashOf('second'), title: 'Second' },
  ]);
  issue = await getIssue(member, 'WEB-1');
});
afterAll(async () => {
  await product?.close();
});

const reload = (): Promise<Issue> => getIssue(member, 'WEB-1');
const commentsOf = async () =>
  (await listActivities(viewer, issue, { only: 'comments', cursor: null, limit: 100 })).activities;

test('teams: made, renamed, filled and deleted by managers only, each slug once', async () => {
  await expect(createTeam(member, { slug: 'web', name: 'Web' })).rejects.toMatchObject({ code: 'forbidden' });
  const team = await createTeam(manager, { slug: 'web', name: ' Web shop ' });
  expect(team).toMatchObject({ slug: 'web', name: 'Web shop', memberIds: [], projectIds: [] });
  await expect(createTeam(manager, { slug: 'web', name: 'x' })).rejects.toMatchObject({ code: 'conflict' });
  await expect(createTeam(manager, { slug: 'Web!', name: 'x' })).rejects.toMatchObject({ code: 'invalid' });
  await setTeamMember(manager, { team: 'web', userId: other.userId, isMember: true });
  await setTeamMember(manager, { team: 'web', userId: other.userId, isMember: true });
  await setTeamProject(manager, { team: 'web', projectSlug: 'web', isOwned: true });
  const outsider = { team: 'web', userId: stranger.userId, isMember: true };
  await expect(setTeamMember(manager, outsider)).rejects.toMatchObject({ code: 'not_found' });
  expect(await listTeams(viewer)).toMatchObject([
    { slug: 'web', memberIds: [other.userId], projectIds: [issue.projectId] },
  ]);
  expect(await listTeams(stranger)).toEqual([]);
  await expect(getTeam(stranger, String(team.id))).rejects.toMatchObject({ code: 'not_found' });
  await expect(updateTeam(member, { team: 'web', change: { name: 'x' } })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await updateTeam(manager, { team: 'web', change: { name: 'Web' } })).toMatchObject({ name: 'Web' });
});

test('an issue belongs to a person or a team, never both, and whoever gets it hears of it', async () => {
  const team = await getTeam(member, 'web');
  const assign = async (text: string) =>
    updateIssues(member, { issueIds: [issue.id], change: await findAssignee(member, text) });
  await assign(other.email.toUpperCase());
  expect(await reload()).toMatchObject({ assignee: { userId: other.userId }, assigneeTeam: null });
  await assign('#web');
  expect(await reload()).toMatchObject({ assignee: null, assigneeTeam: { teamId: team.id, slug: 'web' } });
  await assign(`user:${member.userId}`);
  expect(await reload()).toMatchObject({ assignee: { userId: member.userId }, assigneeTeam: null });
  await assign(`team:${team.id}`);
  await updateIssues(member, { issueIds: [issue.id], change: { assigneeUserId: null } });
  expect(await reload()).toMatchObject({ assignee: null, assigneeTeam: null });
  await assign('A manager');
  expect(await reload()).toMatchObject({ assignee: { userId: manager.userId } });
  for (const wrong of ['A member', 'nobody', '#nothing', `user:${stranger.userId}`, 'team:999999']) {
    await expect(findAssignee(member, wrong)).rejects.toMatchObject({ code: 'invalid' });
  }
  const foreign = await createTeam(stranger, { slug: 'web', name: 'Theirs' });
  await expect(
    updateIssues(member, { issueIds: [issue.id], change: { assigneeTeamId: foreign.id } }),
  ).rejects.toMatchObject({ code: 'invalid' });
  const { subscribers } = await getIssuePeople(member, issue);
  expect(subscribers.map(({ userId, reason }) => [userId, reason])).toEqual(
    expect.arrayContaining([
      [other.userId, 'assigned'],
      [manager.userId, 'assigned'],
    ]),
  );
});

test('a deleted team leaves its issues to nobody', async () => {
  const team = await createTeam(manager, { slug: 'short', name: 'Short' });
  await updateIssues(member, { issueIds: [issue.id], change: { assigneeTeamId: team.id } });
  await expect(deleteTeam(member, 'short')).rejects.toMatchObject({ code: 'forbidden' });
  await deleteTeam(manager, 'short');
  expect(await reload()).toMatchObject({ assignee: null, assigneeTeam: null });
});

test('comments: written, edited and deleted by their author, whoever is named hears of the issue', async () => {
  await expect(addComment(viewer, issue, { text: 'x' })).rejects.toMatchObject({ code: 'forbidden' });
  await expect(addComment(member, issue, { text: ' \n' })).rejects.toMatchObject({ code: 'invalid' });
  await expect(addComment(member, issue, { text: 'x'.repeat(10_001) })).rejects.toMatchObject({
    code: 'invalid',
  });
  const text = `@${viewer.email} and #web: ${HOSTILE_TEXT}`;
  const comment = await addComment(member, issue, { text });
  expect(comment).toMatchObject({
    type: 'note',
    user: { id: member.userId },
    data: {
      text: text.trim(),
      mentions: [{ userId: viewer.userId }, { teamId: (await getTeam(member, 'web')).id }],
    },
  });
  const { subscribers } = await getIssuePeople(member, issue);
  expect(subscribers).toEqual(
    expect.arrayContaining([
      // The first reason stays.
      expect.objectContaining({ userId: member.userId, reason: 'assigned' }),
      expect.objectContaining({ userId: viewer.userId, reason: 'mentioned' }),
    ]),
  );
  const edit = { commentId: comment.id, text: 'shorter' };
  await expect(editComment(manager, issue, edit)).rejects.toMatchObject({ code: 'forbidden' });
  product.clock.nowMs += 1_000;
  expect(await editComment(member, issue, edit)).toMatchObject({
    data: { text: 'shorter', mentions: [], editedAt: product.clock.nowMs },
    at: comment.at,
  });
  const second = await getIssue(member, 'WEB-2');
  await expect(editComment(member, second, edit)).rejects.toMatchObject({ code: 'not_found' });
  expect(await commentsOf()).toMatchObject([{ data: { text: 'shorter' } }]);
  await expect(deleteComment(other, issue, { commentId: comment.id })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await deleteComment(member, issue, { commentId: comment.id });
  expect(await commentsOf()).toEqual([]);
});

test('the activity of an issue is told page by page, each entry once', async () => {
  for (let number = 0; number < 7; number += 1) await addComment(member, issue, { text: `number ${number}` });
  const ids: number[] = [];
  let cursor: string | null = null;
  do {
    const page = await listActivities(viewer, issue, { only: null, cursor, limit: 3 });
    ids.push(...page.activities.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  const whole = await listActivities(viewer, issue, { only: null, cursor: null, limit: 100 });
  expect(ids).toEqual(whole.activities.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect((await findPeopleViews(viewer, [issue.id])).get(issue.id)).toMatchObject({ comments: 7 });
});

test('bookmarks, subscriptions and having seen it are everybody’s own', async () => {
  const mark = (ctx: Context, change: object) => setUserState(ctx, { issueIds: [issue.id], change });
  expect(await mark(viewer, { isBookmarked: true, hasSeen: true })).toBe(1);
  const views = await findPeopleViews(viewer, [issue.id]);
  expect(views.get(issue.id)?.userState).toMatchObject({ isBookmarked: true, hasSeen: true });
  const others = await findPeopleViews(other, [issue.id]);
  expect(others.get(issue.id)?.userState).toMatchObject({ isBookmarked: false, hasSeen: false });
  expect((await getIssuePeople(member, issue)).seenBy).toMatchObject([
    { userId: viewer.userId, seenAt: product.clock.nowMs },
  ]);
  // Whoever does not want to hear of it is not asked again.
  await mark(other, { isSubscribed: false });
  await addComment(member, issue, { text: `@${other.email}` });
  await mark(other, { isBookmarked: true });
  expect((await findPeopleViews(other, [issue.id])).get(issue.id)?.userState.subscription).toEqual({
    isSubscribed: false,
    reason: 'chosen',
  });
  await mark(viewer, { isBookmarked: false, hasSeen: false });
  expect((await getIssuePeople(viewer, issue)).userState).toMatchObject({
    isBookmarked: false,
    hasSeen: false,
  });
  expect(await mark(stranger, { isBookmarked: true })).toBe(0);
  expect((await findPeopleViews(stranger, [issue.id])).get(issue.id)?.userState.isBookmarked).toBe(false);
  const reader: Context = {
    ...member,
    actor: {
      kind: 'token',
      userId: member.userId,
      name: 'T',
      role: 'member',
      isInstanceOwner: false,
      scopes: ['event:read'],
    },
  };
  await expect(mark(reader, { isBookmarked: true })).rejects.toMatchObject({ code: 'forbidden' });
});

test('links to issues elsewhere: kept once each, with an activity, taken away again', async () => {
  await expect(addLink(viewer, issue, { url: 'https://x.example/1' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(addLink(member, issue, { url: 'javascript:alert(1)' })).rejects.toMatchObject({
    code: 'invalid',
  });
  const link = await addLink(member, issue, { url: 'https://tracker.example/browse/WEB-7' });
  expect(link).toMatchObject({
    title: 'WEB-7 · tracker.example',
    createdBy: { id: member.userId },
    createdAt: product.clock.nowMs,
  });
  await expect(addLink(member, issue, { url: link.url })).rejects.toMatchObject({ code: 'conflict' });
  expect(await listLinks(viewer, issue)).toEqual([link]);
  const second = await getIssue(member, 'WEB-2');
  await expect(removeLink(member, second, link.id)).rejects.toMatchObject({ code: 'not_found' });
  await removeLink(member, issue, link.id);
  expect(await listLinks(viewer, issue)).toEqual([]);
  const { activities } = await listActivities(viewer, issue, { only: null, cursor: null, limit: 2 });
  expect(activities.map(({ type }) => type)).toEqual(['unlinked', 'linked']);
});

test('values of a tag are counted with when they were seen', async () => {
  const range = { fromMs: NOON_MS - 3_600_000, toMs: NOON_MS + 3_600_000 };
  const tag = await listTagValues(viewer, issue, { key: 'browser', range, limit: 10 });
  expect(tag).toEqual({
    key: 'browser',
    total: 3,
    distinct: 2,
    values: [
      { value: 'Safari', count: 2, firstSeen: NOON_MS, lastSeen: NOON_MS },
      { value: 'Chrome', count: 1, firstSeen: NOON_MS, lastSeen: NOON_MS },
    ],
  });
  expect(await listTagValues(viewer, issue, { key: "'; --", range, limit: 10 })).toMatchObject({ total: 0 });
});

test('what is undone assigns nobody of another organization', async () => {
  const foreign = await createTeam(stranger, { slug: 'spies', name: 'Theirs' });
  const undo = (assigneeUserId: string | null, assigneeTeamId: number | null) =>
    restoreIssues(member, {
      part: 'assignee',
      entries: [{ issueId: issue.id, assigneeUserId, assigneeTeamId }],
    });
  await expect(undo(null, foreign.id)).rejects.toMatchObject({ code: 'invalid' });
  await expect(undo(stranger.userId, null)).rejects.toMatchObject({ code: 'invalid' });
  await expect(undo(other.userId, foreign.id)).rejects.toMatchObject({ code: 'invalid' });
  await undo(other.userId, null);
  expect((await getIssue(member, 'WEB-1')).assignee?.userId).toBe(other.userId);
});
