import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { Organization } from '#domain/projects.ts';
import { findSelfReporting } from '#main/start-web.ts';
import { listUserOrganizations, resolveUserContext } from '#product/accounts/resolve-user-context.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import type { Context } from '#product/context.ts';
import { acceptInvitation } from '#product/invitations/accept-invitation.ts';
import { inviteMember } from '#product/invitations/invitations.ts';
import { leaveOrganization } from '#product/members/members.ts';
import {
  createOrganization,
  deleteOrganization,
  updateOrganization,
} from '#product/organizations/organizations.ts';
import { createProject } from '#product/projects/create-project.ts';
import type { Services } from '#product/services.ts';
import { listProjects } from '#product/visible-projects.ts';
import type { Session } from '#storage/ports/authenticator.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let services: Services;
let first: Organization;
/** Owns the instance. */
let owner: Joined;
let member: Joined;
beforeAll(async () => {
  product = await openProduct();
  services = servicesOf(product);
  first = await product.createOrganization();
  owner = await product.join(first, 'owner', true);
  member = await product.join(first, 'member');
});
afterAll(async () => {
  await product?.close();
});

const sessionOf = ({ userId, email }: Joined, isInstanceOwner = false): Session => ({
  sessionId: 's',
  userId,
  email,
  name: 'Ana',
  isInstanceOwner,
  hasTwoFactorEnabled: false,
  createdAt: Date.now(),
});
const slugsOf = async ({ userId }: Joined): Promise<readonly string[]> =>
  (await listUserOrganizations(services, userId)).map(({ slug }) => slug);
const as = (joined: Joined, slug: string): Promise<Context> =>
  resolveUserContext(services, slug, sessionOf(joined));
const allSlugs = async () => (await product.stores.projects.listOrganizations()).map(({ slug }) => slug);

test('the creator owns it, nobody else is in it, and its log begins with that', async () => {
  const ctx = await createOrganization(owner, { name: ' Second Ltd. ' });
  expect(ctx.organization).toMatchObject({ slug: 'second-ltd', name: 'Second Ltd.' });
  expect(await slugsOf(owner)).toEqual([first.slug, 'second-ltd']);
  expect(await product.stores.accounts.listMembers(ctx.organization.id)).toMatchObject([
    { id: owner.userId, role: 'owner' },
  ]);
  const { entries } = await listAuditEntries(ctx, {});
  expect(entries).toMatchObject([
    { action: 'org.create', actor: { userId: owner.userId }, target: { name: 'second-ltd' } },
  ]);
  await expect(as(member, 'second-ltd')).rejects.toMatchObject({ code: 'not_found' });
});

test('what is made in one is not in the other, under the same slug too', async () => {
  const { organization } = await createOrganization(owner, { name: 'Apart' });
  const second = { ...owner, organization };
  await createProject({ ...owner, organization: first }, { slug: 'same', platform: null });
  await createProject(second, { slug: 'same', platform: null });
  await createProject(second, { slug: 'only-here', platform: null });
  const slugs = async (ctx: Context) => (await listProjects(ctx)).map(({ slug }) => slug);
  expect(await slugs(owner)).toEqual(['same']);
  expect(await slugs(second)).toEqual(['only-here', 'same']);
});

test('only the owner of the instance may, with an organization of their own or without', async () => {
  const plain = await product.join(first, 'owner');
  await expect(createOrganization(plain, { name: 'Mine' })).rejects.toMatchObject({ code: 'forbidden' });
  const token: Context['actor'] = {
    kind: 'token',
    userId: owner.userId,
    name: 'CI',
    role: 'owner',
    isInstanceOwner: true,
    scopes: ['org:write'],
  };
  await expect(createOrganization({ ...owner, actor: token }, { name: 'Mine' })).rejects.toMatchObject({
    code: 'forbidden',
  });
  expect(await allSlugs()).not.toContain('mine');
});

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(101) }, 'name'],
  [{ name: 'Settings' }, 'slug'],
  [{ name: 'Fine', slug: 'organizations' }, 'slug'],
  [{ name: 'Fine', slug: 'Not A Slug' }, 'slug'],
  [{ name: '日本' }, 'slug'],
])('refuses %j', async (input, field) => {
  await expect(createOrganization(owner, input)).rejects.toMatchObject({ code: 'invalid', field });
});

test('a taken slug, and an owner who does not exist, leave nothing behind', async () => {
  const before = await allSlugs();
  const taken = createOrganization(owner, { name: 'Other', slug: first.slug });
  await expect(taken).rejects.toMatchObject({ code: 'conflict', field: 'slug' });
  const nobodys = createOrganization(owner, { name: 'Nobodys', ownerId: 'nobody' });
  await expect(nobodys).rejects.toMatchObject({ code: 'not_found' });
  expect(await allSlugs()).toEqual(before);
});

test('an account of the first is invited, joins, and leaves without losing the first', async () => {
  const ctx = await createOrganization(owner, { name: 'Guests' });
  const { url } = await inviteMember(ctx, createNoMailer(), {
    email: member.email,
    role: 'viewer',
    teams: [],
  });
  const token = url.slice(`${PUBLIC_URL}/invite/`.length);
  await acceptInvitation(services, { token, session: sessionOf(member), ipAddress: null });
  expect(await slugsOf(member)).toEqual([first.slug, 'guests']);
  const guest = await as(member, 'guests');
  expect(guest.actor).toMatchObject({ role: 'viewer' });
  expect((await as(member, first.slug)).actor).toMatchObject({ role: 'member' });
  await leaveOrganization(guest);
  expect(await slugsOf(member)).toEqual([first.slug]);
});

test('it is renamed and deleted without a trace in the first', async () => {
  const ctx = await createOrganization(owner, { name: 'Short lived' });
  const renamed = await updateOrganization(ctx, { slug: 'short' });
  await deleteOrganization({ ...ctx, organization: renamed }, { confirmation: 'short' });
  expect(await slugsOf(owner)).not.toContain('short');
  expect(await slugsOf(owner)).toContain(first.slug);
});

test("Errata's own errors stay in its own project, whatever others call theirs", async () => {
  const own = await product.createProject(first, 'errata-self', true);
  const { organization } = await createOrganization(owner, { name: 'A', slug: 'a-before-all-others' });
  await product.createProject(organization, 'errata-self');
  expect(await findSelfReporting(PUBLIC_URL, product.stores.projects)).toMatchObject({ projectId: own.id });
  // The internal project shows to the owner of the instance alone.
  expect((await listProjects(owner)).map(({ slug }) => slug)).toContain('errata-self');
  expect((await listProjects(member)).map(({ slug }) => slug)).not.toContain('errata-self');
});
