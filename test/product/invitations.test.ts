import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Mailer, MailMessage } from '#delivery/ports/mailer.ts';
import { createNoMailer } from '#delivery/smtp/smtp-mailer.ts';
import type { Organization } from '#domain/projects.ts';
import { listAuditEntries } from '#product/audit/audit-log.ts';
import {
  acceptInvitation,
  joinWithNewAccount,
  openInvitation,
} from '#product/invitations/accept-invitation.ts';
import {
  INVITATION_MS,
  inviteMember,
  listInvitations,
  mailInvitation,
  resendInvitation,
  revokeInvitation,
} from '#product/invitations/invitations.ts';
import { changeRole, removeMember } from '#product/members/members.ts';
import type { Services } from '#product/services.ts';
import type { Session } from '#storage/ports/authenticator.ts';
import { openProduct, type Product, PUBLIC_URL } from './open-product.ts';
import { servicesOf } from './product-services.ts';

const PASSWORD = 'three birds on a wire';
const NO_MAIL = createNoMailer();

type Joined = Awaited<ReturnType<Product['join']>>;

let product: Product;
let services: Services;
let main: Organization;
let owner: Joined;
beforeAll(async () => {
  product = await openProduct();
  services = servicesOf(product);
});
afterAll(async () => {
  await product?.close();
});
beforeEach(async () => {
  main = await product.createOrganization();
  owner = await product.join(main, 'owner');
});

const unique = () => `${Math.random().toString(36).slice(2)}@example.com`;
const tokenOf = ({ url }: { url: string }) => url.slice(`${PUBLIC_URL}/invite/`.length);
const invite = (email = unique(), role = 'member', teams: readonly string[] = []) =>
  inviteMember(owner, NO_MAIL, { email, role, teams });
const sessionOf = (userId: string, email: string): Session => ({
  sessionId: 's',
  userId,
  email,
  name: 'Ana',
  isInstanceOwner: false,
  hasTwoFactorEnabled: false,
  createdAt: Date.now(),
});
const roleOf = (userId: string) => product.stores.accounts.findRole(main.id, userId);

describe('inviting', () => {
  test('without a mail server the address is answered, with the reason', async () => {
    const { invitation, url, mail } = await invite('Ana@Example.com');
    expect(invitation).toMatchObject({ email: 'ana@example.com', role: 'member' });
    expect(mail).toMatchObject({ kind: 'not_sent', reason: expect.stringContaining('ERRATA_SMTP_URL') });
    expect(await openInvitation(services, tokenOf({ url }))).toMatchObject({
      organization: { id: main.id },
      hasAccount: false,
    });
  });

  test('the mail names who invites, the role and the address', async () => {
    const sent: MailMessage[] = [];
    const mailer: Mailer = {
      isConfigured: true,
      send: async (message) => {
        sent.push(message);
        return { kind: 'sent' };
      },
      close() {},
    };
    const { url, mail } = await inviteMember(owner, mailer, {
      email: 'ana@example.com',
      role: 'admin',
      teams: [],
    });
    expect(mail).toEqual({ kind: 'sent' });
    expect(sent).toMatchObject([{ to: 'ana@example.com', subject: expect.stringContaining('A owner') }]);
    expect(sent[0]?.text).toContain(url);
    expect(sent[0]?.text).toContain('as admin');
    expect(sent[0]?.html).toContain(`href="${url}"`);
  });

  test('one organization sends 200 mails an hour, and not more; others send on', async () => {
    const { invitation } = await invite();
    let sent = 0;
    const mailer: Mailer = {
      isConfigured: true,
      send: async () => {
        sent++;
        return { kind: 'sent' };
      },
      close() {},
    };
    for (let tries = 0; tries < 250; tries++) await mailInvitation(owner, mailer, invitation, 'https://x');
    expect(sent).toBeLessThanOrEqual(200);
    expect(sent).toBeGreaterThan(190);
    const other = { ...owner, organization: await product.createOrganization() };
    expect(await mailInvitation(other, mailer, invitation, 'https://x')).toEqual({ kind: 'sent' });
  });

  test('nobody gives a role above their own, and members are not invited', async () => {
    const manager = await product.join(main, 'manager');
    await expect(
      inviteMember(manager, NO_MAIL, { email: unique(), role: 'owner', teams: [] }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      inviteMember(owner, NO_MAIL, { email: manager.email.toUpperCase(), role: 'member', teams: [] }),
    ).rejects.toMatchObject({ code: 'conflict', field: 'email' });
    await expect(invite('no address')).rejects.toMatchObject({ code: 'invalid', field: 'email' });
    await expect(invite(unique(), 'member', ['nothing'])).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a second invitation to the same address takes the place of the first', async () => {
    const email = unique();
    const first = await invite(email);
    const second = await invite(email, 'viewer');
    expect(await openInvitation(services, tokenOf(first))).toBeNull();
    expect(await openInvitation(services, tokenOf(second))).not.toBeNull();
    expect(await listInvitations(owner)).toMatchObject([{ email, role: 'viewer' }]);
  });

  test('sending again makes a new address and a new week; revoking closes it', async () => {
    const first = await invite();
    product.clock.nowMs += INVITATION_MS - 1_000;
    const again = await resendInvitation(owner, NO_MAIL, { invitationId: first.invitation.id });
    expect(await openInvitation(services, tokenOf(first))).toBeNull();
    product.clock.nowMs += 2_000;
    expect(await openInvitation(services, tokenOf(again))).not.toBeNull();
    await revokeInvitation(owner, { invitationId: first.invitation.id });
    expect(await openInvitation(services, tokenOf(again))).toBeNull();
    await expect(revokeInvitation(owner, { invitationId: first.invitation.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('of another organization, an invitation is not found', async () => {
    const { invitation } = await invite();
    const stranger = await product.join(await product.createOrganization(), 'owner');
    await expect(revokeInvitation(stranger, { invitationId: invitation.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(resendInvitation(stranger, NO_MAIL, { invitationId: invitation.id })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('what somebody offered goes when they go, or may not offer it any more', async () => {
    const manager = await product.join(main, 'manager');
    const offered = async (role: string) =>
      tokenOf(await inviteMember(manager, NO_MAIL, { email: unique(), role, teams: [] }));
    const [high, low] = [await offered('manager'), await offered('viewer')];
    await changeRole(owner, { member: manager.userId, role: 'member' });
    expect(await openInvitation(services, high)).toBeNull();
    expect(await openInvitation(services, low)).not.toBeNull();
    await removeMember(owner, { member: manager.userId });
    expect(await openInvitation(services, low)).toBeNull();
  });
});

describe('joining', () => {
  test('with a new account: it has the role and the teams, and the address opens no more', async () => {
    const team = await product.stores.teams.create(main.id, { slug: 'web', name: 'Web' });
    const email = unique();
    const token = tokenOf(await invite(email, 'admin', ['web']));
    const { user } = await joinWithNewAccount(services, {
      token,
      name: ' Ana ',
      password: PASSWORD,
      ipAddress: '203.0.113.7',
    });
    expect(user).toMatchObject({ email, name: 'Ana' });
    expect(await roleOf(user.id)).toBe('admin');
    expect((await product.stores.teams.list(main.id)).find(({ id }) => id === team.id)?.memberIds).toEqual([
      user.id,
    ]);
    expect(await openInvitation(services, token)).toBeNull();
    await expect(
      joinWithNewAccount(services, { token, name: 'Eve', password: PASSWORD, ipAddress: null }),
    ).rejects.toMatchObject({ code: 'invalid', field: 'token' });
    const { entries } = await listAuditEntries(owner, { action: 'member.accept-invite' });
    expect(entries).toMatchObject([
      { actor: { userId: user.id, name: 'Ana' }, ipAddress: '203.0.113.7', target: { name: email } },
    ]);
  });

  test.each([
    ['', PASSWORD, 'name'],
    ['Ana', 'short', 'password'],
    ['Ana', 'aaaaaaaaaaaaaaaa', 'password'],
  ])('name %j and password %j are refused, and the invitation stays open', async (name, password, field) => {
    const token = tokenOf(await invite());
    await expect(
      joinWithNewAccount(services, { token, name, password, ipAddress: null }),
    ).rejects.toMatchObject({ code: 'invalid', field });
    expect(await openInvitation(services, token)).not.toBeNull();
  });

  test('an address that has an account is not given a second one', async () => {
    const stranger = await product.join(await product.createOrganization(), 'member');
    const token = tokenOf(await invite(stranger.email));
    expect(await openInvitation(services, token)).toMatchObject({ hasAccount: true });
    await expect(
      joinWithNewAccount(services, { token, name: 'Eve', password: PASSWORD, ipAddress: null }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await openInvitation(services, token)).not.toBeNull();
    expect(await roleOf(stranger.userId)).toBeNull();
  });

  test('somebody signed in joins as who they are; a member is told so, and keeps the role', async () => {
    const stranger = await product.join(await product.createOrganization(), 'member');
    const session = sessionOf(stranger.userId, stranger.email);
    const token = tokenOf(await invite(unique(), 'viewer'));
    expect(await acceptInvitation(services, { token, session, ipAddress: null })).toMatchObject({
      id: main.id,
    });
    expect(await roleOf(stranger.userId)).toBe('viewer');
    const another = tokenOf(await invite(unique(), 'owner'));
    await expect(
      acceptInvitation(services, { token: another, session, ipAddress: null }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await roleOf(stranger.userId)).toBe('viewer');
    expect(await openInvitation(services, another)).not.toBeNull();
  });

  test('one invitation lets one in, also when two open it at the same moment', async () => {
    const token = tokenOf(await invite());
    const others = await Promise.all(
      [1, 2].map(async () => product.join(await product.createOrganization(), 'member')),
    );
    const results = await Promise.allSettled(
      others.map(({ userId, email }) =>
        acceptInvitation(services, { token, session: sessionOf(userId, email), ipAddress: null }),
      ),
    );
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a week later it opens nothing', async () => {
    const token = tokenOf(await invite());
    product.clock.nowMs += INVITATION_MS + 1;
    expect(await openInvitation(services, token)).toBeNull();
    await expect(
      joinWithNewAccount(services, { token, name: 'Ana', password: PASSWORD, ipAddress: null }),
    ).rejects.toMatchObject({ code: 'invalid', field: 'token' });
  });
});
