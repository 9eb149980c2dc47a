import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES, type Role } from '#domain/people.ts';
import type { Organization } from '#domain/projects.ts';
import { setUserState } from '#product/issue-user-state/user-state.ts';
import { getIssue } from '#product/issues/get-issue.ts';
import { listIssues } from '#product/issues/list-issues.ts';
import { restoreIssues, updateIssues } from '#product/issues/update-issues.ts';
import { updateNotificationSetting } from '#product/notifications/notification-settings.ts';
import { updateOrganization } from '#product/organizations/organizations.ts';
import { createProjectKey } from '#product/projects/client-keys.ts';
import { createProject } from '#product/projects/create-project.ts';
import { setTeamMember, setTeamProject } from '#product/teams/teams.ts';
import { createOrganizationToken } from '#product/tokens/organization-tokens.ts';
import { listProjects } from '#product/visible-projects.ts';
import { openProduct, type Product } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let main: Organization;
let people: Record<Role, Joined>;
/** Everybody's context in the organization as it is now. */
const inMain = (role: Role): Joined => ({ ...people[role], organization: main });
const slugsOf = async (role: Role) => (await listProjects(inMain(role))).map(({ slug }) => slug);

beforeAll(async () => {
  product = await openProduct();
  main = await product.createOrganization();
  people = {} as Record<Role, Joined>;
  for (const role of ROLES) people[role] = await product.join(main, role);
  for (const slug of ['web', 'api', 'lonely']) {
    const { id } = await product.createProject(main, slug);
    await product.ingest(main, [{ projectId: id }]);
  }
  await product.stores.teams.create(main.id, { slug: 'front', name: 'Front' });
  await setTeamProject(inMain('owner'), { team: 'front', projectSlug: 'web', isOwned: true });
  for (const role of ['viewer', 'member', 'admin'] as const) {
    await setTeamMember(inMain('owner'), {
      team: 'front',
      userId: people[role].userId,
      isMember: true,
    });
  }
});
afterAll(async () => {
  await product?.close();
});

test('an open organization shows every project to everybody', async () => {
  for (const role of ROLES) expect(await slugsOf(role)).toEqual(['api', 'lonely', 'web']);
});

describe('without open membership', () => {
  beforeAll(async () => {
    main = await updateOrganization(inMain('manager'), { isOpen: false });
    expect(main.isOpen).toBe(false);
  });

  test.each([
    ['viewer', ['web']],
    ['member', ['web']],
    ['admin', ['web']],
    ['manager', ['api', 'lonely', 'web']],
    ['owner', ['api', 'lonely', 'web']],
  ] as const)('a %s sees %j', async (role, slugs) => {
    expect(await slugsOf(role)).toEqual(slugs);
  });

  test('issues of other projects do not exist: not in lists, not by number, not for changes', async () => {
    const member = inMain('member');
    const { issues } = await listIssues(member, {
      query: '',
      projectSlugs: [],
      sort: 'date',
      range: null,
      cursor: null,
      limit: 100,
    });
    expect(issues.map(({ shortId }) => shortId)).toEqual(['WEB-1']);
    const hidden = (await product.stores.issues.findByShortId(main.id, 'API-1'))!;
    await expect(getIssue(member, 'API-1')).rejects.toMatchObject({ code: 'not_found' });
    await expect(getIssue(member, String(hidden.id))).rejects.toMatchObject({ code: 'not_found' });
    const { before } = await updateIssues(member, { issueIds: [hidden.id], change: { status: 'resolved' } });
    expect(before).toEqual([]);
    expect(await product.stores.issues.findByShortId(main.id, 'API-1')).toMatchObject({
      status: 'unresolved',
    });
  });

  test('what is bound to a hidden issue by its number stays as it was: marks, an undo, a mail setting', async () => {
    const member = inMain('member');
    const hidden = (await product.stores.issues.findByShortId(main.id, 'API-1'))!;
    await setUserState(member, { issueIds: [hidden.id], change: { isBookmarked: true, isSubscribed: true } });
    const { rows } = await product.pool.query('SELECT FROM issue_bookmarks WHERE issue_id = $1', [hidden.id]);
    expect(rows).toEqual([]);
    const entries = [{ issueId: hidden.id, assigneeUserId: member.userId, assigneeTeamId: null }];
    await restoreIssues(member, { part: 'assignee', entries });
    expect(await product.stores.issues.findByShortId(main.id, 'API-1')).toMatchObject({ assignee: null });
    const setting = { kind: 'alerts', organizationSlug: main.slug, isOn: false } as const;
    const person = { userId: member.userId, name: 'A member', isInstanceOwner: false };
    const set = (projectSlug: string) =>
      updateNotificationSetting(servicesOf(product), person, { ...setting, projectSlug });
    await expect(set('api')).rejects.toMatchObject({ code: 'not_found' });
    await set('web');
  });

  test('an admin sets up the projects of their teams only', async () => {
    const admin = inMain('admin');
    await createProjectKey(admin, { projectSlug: 'web', label: 'Mobile' });
    await expect(createProjectKey(admin, { projectSlug: 'api', label: 'Mobile' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('what an admin creates belongs to their teams, and one in no team is told to join one', async () => {
    await createProject(inMain('admin'), { slug: 'made', platform: null });
    expect(await slugsOf('admin')).toEqual(['made', 'web']);
    expect(await slugsOf('viewer')).toEqual(['made', 'web']);
    const alone = { ...(await product.join(main, 'admin')), organization: main };
    await expect(createProject(alone, { slug: 'mine', platform: null })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await slugsOf('owner')).not.toContain('mine');
  });

  test('a token of a member sees what its owner sees', async () => {
    const member = inMain('member');
    const actor = { ...member.actor, kind: 'token', scopes: ['project:read'] } as Joined['actor'];
    expect((await listProjects({ ...member, actor })).map(({ slug }) => slug)).toEqual(['made', 'web']);
  });

  test('a token of the organization is bound to no team', async () => {
    const { record } = await createOrganizationToken(inMain('owner'), { name: 'Build' });
    const actor = {
      kind: 'organization_token',
      tokenId: record.id,
      name: 'Build',
      scopes: ['project:read'],
    } as const;
    expect((await listProjects(product.contextFor(main, actor))).length).toBe(4);
  });
});
