import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../harness/api-client.ts';
import { findChromium, keepingScreenshot, launchChromium, NO_CHROMIUM } from '../../harness/browser.ts';
import { chooseOption } from '../../harness/choose-option.ts';
import { eventEnvelope, parseDsn, postEnvelope } from '../../harness/envelope.ts';
import { findEvent } from '../../harness/find-event.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../../harness/mail-server.ts';
import { readDownload } from '../../harness/read-download.ts';
import { makeJavascriptError } from '../../harness/sample-event.ts';
import { signIn } from '../../harness/sign-in.ts';
import { ADMIN, type ErrataServer, startErrata } from '../../harness/start-errata.ts';

const PASSWORD = 'three birds on a wire';
const ANA = 'ana@example.com';

const hasBrowser = findChromium() !== null;

describe.skipIf(!hasBrowser)(`people in a browser${hasBrowser ? '' : ` (${NO_CHROMIUM})`}`, () => {
  let mail: MailServer;
  let server: ErrataServer;
  let browser: Browser;
  let owner: Page;
  let ana: Page;

  beforeAll(async () => {
    mail = await startMailServer();
    server = await startErrata({
      env: { ERRATA_SMTP_URL: mail.url, ERRATA_MAIL_FROM: 'Errata <errata@example.com>' },
    });
    browser = await launchChromium();
    owner = await signIn(browser, server.url);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.[Symbol.asyncDispose]();
    await mail?.close();
  });

  const walk = (page: Page, name: string, steps: () => Promise<void>) =>
    keepingScreenshot(page, `members-${name}`, steps);
  const open = (page: Page, path: string) => page.goto(`${server.url}${path}`);
  const toast = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
  const newPage = async () => (await browser.newContext()).newPage();

  test('an invitation by mail leads to an account, the role and the team', async () => {
    await walk(owner, 'invite', async () => {
      await open(owner, '/main/settings/teams');
      await owner.getByLabel('New team name').fill('Payments');
      await owner.getByRole('button', { name: 'Create team' }).click();
      await owner.getByRole('heading', { name: /Payments/ }).waitFor();
      await open(owner, '/main/settings/members');
      await owner.getByLabel('Email', { exact: true }).fill(ANA);
      await owner.getByLabel('Payments').check();
      await owner.getByRole('button', { name: 'Invite', exact: true }).click();
      await owner.getByText(`Invitation sent to ${ANA}`).waitFor();
      await owner.getByRole('heading', { name: 'Invitations' }).waitFor();
    });
    const { text, from } = await mail.mailTo(ANA);
    expect(from).toBe('errata@example.com');
    const address = /http:\/\/\S+\/invite\/[\w-]{43}/.exec(text)![0];
    ana = await newPage();
    await walk(ana, 'join', async () => {
      await ana.goto(address);
      await ana.getByRole('heading', { name: 'Join Main' }).waitFor();
      await ana.getByLabel('Your name').fill('Ana Lopez');
      await ana.getByLabel('Password').fill('short');
      await ana.getByRole('button', { name: 'Create account and join' }).click();
      await ana.getByText('use 12 or more').waitFor();
      expect(await ana.getByLabel('Your name').inputValue()).toBe('Ana Lopez');
      await ana.getByLabel('Password').fill(PASSWORD);
      await ana.getByRole('button', { name: 'Create account and join' }).click();
      await ana.waitForURL('**/main/issues');
    });
    const again = await newPage();
    await again.goto(address);
    await again.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    await again.context().close();
    await open(owner, '/main/settings/members');
    const entry = owner.getByRole('listitem').filter({ hasText: 'Ana Lopez' });
    expect(await entry.textContent()).toContain('#payments');
    expect(await owner.getByRole('heading', { name: 'Invitations' }).count()).toBe(0);
  });

  test('what concerns somebody is mailed at once, and one click ends it', async () => {
    const api = createApiClient(server.url, await server.token('event:read,event:write,project:read'));
    const dsn = parseDsn(server.dsn!);
    const slug = (await api.get<{ slug: string }[]>('/api/0/organizations/main/projects/'))[0]!.slug;
    const post = async (issue: number) => {
      const event = makeJavascriptError({ issue, bytes: 2_000 });
      expect((await postEnvelope(dsn, eventEnvelope(event))).status).toBe(200);
      return (await findEvent(api, slug, event.event_id)).issue;
    };
    const mailsTo = (email: string, words: string, { shortId }: { shortId: string }) =>
      mail.received.filter(
        ({ to, plain }) => to.includes(email) && plain.includes(shortId) && plain.includes(words),
      );
    const mailTo = async (...asked: Parameters<typeof mailsTo>) => {
      await expect.poll(() => mailsTo(...asked).length, { timeout: 15_000 }).toBe(1);
      return mailsTo(...asked)[0]!;
    };
    /** As a mail program does it. */
    const endWithOneClick = async ({ headers }: ReceivedMail) => {
      expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
      const address = /^<([^>]+)>$/.exec(headers.get('list-unsubscribe') ?? '')![1]!;
      const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
      expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
    };

    // The alert rule that a project begins with tells all members.
    const first = await post(1);
    const alert = await mailTo(ANA, 'New issue: ', first);
    for (const part of [alert.plain, alert.html]) {
      expect(part).toContain('Cannot read properties of undefined');
      expect(part).toContain(`/main/issues/${first.shortId}`);
    }
    await endWithOneClick(alert);
    const second = await post(2);
    await mailTo(ADMIN.email, 'New issue: ', second);

    const note = { text: `@${ANA} can you look?` };
    expect((await api.request('POST', `/api/0/issues/${first.id}/notes/`, note)).status).toBe(201);
    const mention = await mailTo(ANA, 'mentioned you', first);
    expect(mention.html).toContain('can you look?');
    await endWithOneClick(mention);
    // Somebody else has it for seconds by now.
    expect(mailsTo(ANA, '', second)).toEqual([]);
    await walk(ana, 'unsubscribed', async () => {
      await open(ana, '/account/notifications');
      for (const kind of ['Alerts', 'Mentions']) {
        const setting = ana.getByRole('combobox', { name: `${kind} of Main`, exact: true });
        expect(await setting.textContent()).toBe('Off');
      }
    });
  });

  test('an invitation is sent again with a new address, and revoked', async () => {
    await walk(owner, 'resend', async () => {
      await open(owner, '/main/settings/members');
      await owner.getByLabel('Email', { exact: true }).fill('bert@example.com');
      await owner.getByRole('button', { name: 'Invite', exact: true }).click();
      const shown = owner.getByTestId('invitation-address');
      await shown.first().waitFor();
      const first = (await shown.first().textContent())!;
      await owner.getByText('This address works on this machine only').waitFor();
      await owner.getByRole('button', { name: 'Resend the invitation to bert@example.com' }).click();
      await expect.poll(async () => (await shown.allTextContents()).length).toBe(2);
      const second = (await shown.allTextContents()).find((text) => text !== first)!;
      const visitor = await newPage();
      await visitor.goto(first);
      await visitor.getByRole('heading', { name: /is no longer valid/ }).waitFor();
      await visitor.goto(second);
      await visitor.getByRole('heading', { name: 'Join Main' }).waitFor();
      await owner.getByRole('button', { name: 'Revoke the invitation to bert@example.com' }).click();
      await toast(owner, 'Invitation to bert@example.com revoked');
      await visitor.reload();
      await visitor.getByRole('heading', { name: /is no longer valid/ }).waitFor();
      await visitor.context().close();
    });
  });

  test('another role counts at once, and a member may do no more than it says', async () => {
    await walk(ana, 'role', async () => {
      await open(ana, '/main/settings/members');
      expect(await ana.getByRole('button', { name: 'Invite', exact: true }).count()).toBe(0);
      await open(owner, '/main/settings/members');
      await owner.getByRole('combobox', { name: 'Role of Ana Lopez' }).click();
      await owner.getByRole('option', { name: /Manager/ }).click();
      await toast(owner, 'Ana Lopez is now Manager');
      await ana.reload();
      await ana.getByRole('button', { name: 'Invite', exact: true }).waitFor();
      // A manager gives no role above their own, and has no hand in owners.
      await ana.getByRole('combobox', { name: 'Role', exact: true }).click();
      await ana.getByRole('option', { name: /^Manager/ }).waitFor();
      expect(await ana.getByRole('option', { name: /^Owner/ }).count()).toBe(0);
      await ana.keyboard.press('Escape');
      const ofOwner = ana.getByRole('listitem').filter({ hasText: 'owner@example.com' });
      expect(await ofOwner.textContent()).toContain('Owner');
      expect(await ofOwner.getByRole('button').count()).toBe(0);
      expect(await ofOwner.getByRole('combobox').count()).toBe(0);
    });
  });

  test('a token of the organization is shown once, has the form of Sentry, and ends when revoked', async () => {
    await walk(owner, 'tokens', async () => {
      await open(owner, '/main/settings/tokens');
      await owner.getByText('No tokens yet').waitFor();
      await owner.getByLabel('New token name').fill('Release build');
      await owner.getByRole('button', { name: 'Create token' }).click();
      const token = (await owner.getByTestId('organization-token').textContent())!;
      const [, payload = ''] = /^sntrys_([A-Za-z0-9+/]+=*)_[A-Za-z0-9+/]{43}$/.exec(token) ?? [];
      expect(JSON.parse(Buffer.from(payload, 'base64').toString())).toMatchObject({
        url: server.url,
        region_url: server.url,
        org: 'main',
      });
      const api = createApiClient(server.url, token);
      expect((await api.request('GET', '/api/0/')).status).toBe(200);
      expect((await api.request('GET', '/api/0/organizations/main/issues/')).status).toBe(403);
      await owner.reload();
      expect(await owner.getByTestId('organization-token').count()).toBe(0);
      await owner.getByRole('button', { name: 'Revoke Release build' }).click();
      await owner.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
      await toast(owner, 'Release build was revoked');
      expect((await api.request('GET', '/api/0/')).status).toBe(401);
    });
  });

  test('the audit log tells all of it, narrows, and is exported by owners', async () => {
    await walk(owner, 'audit-log', async () => {
      await open(owner, '/main/settings/audit-log');
      const entries = owner.getByRole('region', { name: 'Entries' }).getByRole('listitem');
      const said = (await entries.allTextContents()).join('\n');
      for (const part of [
        'revoked the organization token Release build',
        'changed the role of ana@example.com',
        'accepted the invitation of ana@example.com',
        'created the team payments',
        '127.0.0.1',
      ]) {
        expect(said).toContain(part);
      }
      await owner.getByLabel('Action').click();
      await chooseOption(owner, 'member.edit changed the role of');
      await owner.waitForURL(/action=member\.edit/);
      await expect.poll(() => entries.count()).toBe(1);
      expect(await entries.first().textContent()).toContain('member → manager');
      const [download] = await Promise.all([
        owner.waitForEvent('download'),
        owner.getByRole('link', { name: 'Export as CSV' }).click(),
      ]);
      const lines = (await readDownload(download)).trim().split('\r\n');
      expect(lines).toHaveLength(2);
      expect(lines[1]).toContain('member.edit');
    });
    // A manager reads it, and does not export it.
    await open(ana, '/main/settings/audit-log');
    await ana.getByRole('heading', { name: 'Audit log' }).waitFor();
    expect(await ana.getByRole('link', { name: 'Export as CSV' }).count()).toBe(0);
    const refused = await ana.request.get(`${server.url}/main/settings/audit-log/export`);
    expect(refused.status()).toBe(403);
  });

  test('a new slug takes the place of the former one, which leads to it', async () => {
    await walk(owner, 'slug', async () => {
      await open(owner, '/main/settings');
      await owner.getByLabel('Slug').fill('settings');
      await owner.getByRole('button', { name: 'Save settings' }).click();
      await owner.getByText('is reserved by Errata').waitFor();
      await owner.getByLabel('Slug').fill('acme');
      await owner.getByRole('button', { name: 'Save settings' }).click();
      await owner.waitForURL('**/acme/settings');
      const answer = await owner.request.get(`${server.url}/main/issues?query=is:resolved`, {
        maxRedirects: 0,
      });
      expect([answer.status(), answer.headers().location]).toEqual([308, '/acme/issues?query=is:resolved']);
      await open(owner, '/acme/settings');
      await owner.getByLabel('Slug').fill('main');
      await owner.getByRole('button', { name: 'Save settings' }).click();
      await owner.waitForURL('**/main/settings');
    });
  });

  test('a forgotten password is mailed for; whoever has no account hears the same', async () => {
    const visitor = await newPage();
    await walk(visitor, 'forgotten', async () => {
      const answers: string[] = [];
      for (const email of ['nobody@example.com', ANA]) {
        await open(visitor, '/reset-password');
        await visitor.getByLabel('Email').fill(email);
        await visitor.getByRole('button', { name: 'Email me a link' }).click();
        const notice = visitor.getByRole('status').filter({ hasText: 'Check your email' });
        answers.push((await notice.textContent())!.replace(email, ''));
      }
      expect(answers[0]).toBe(answers[1]);
      await expect.poll(() => mail.received.at(-1)?.text).toContain('/reset-password/');
      expect(mail.received.flatMap(({ to }) => to)).not.toContain('nobody@example.com');
      const { text } = await mail.mailTo(ANA);
      await visitor.goto(/http:\/\/\S+\/reset-password\/[\w-]{43}/.exec(text)![0]);
      await visitor.getByLabel('New password', { exact: true }).fill(`${PASSWORD} again`);
      await visitor.getByLabel('Confirm new password').fill(`${PASSWORD} again`);
      await visitor.getByRole('button', { name: 'Change password' }).click();
      await visitor.waitForURL(/\/login/);
    });
    await visitor.context().close();
    ana = await signIn(browser, server.url, { email: ANA, password: `${PASSWORD} again` });
  });

  test('somebody signed in accepts without a new account, and whoever is removed is out at once', async () => {
    await walk(owner, 'remove', async () => {
      await open(owner, '/main/settings/members');
      await owner.getByRole('button', { name: 'Remove Ana Lopez' }).click();
      await owner.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await toast(owner, 'Ana Lopez was removed');
      const answer = await ana.goto(`${server.url}/main/issues`);
      expect(answer?.status()).toBe(404);
      await open(owner, '/main/settings/members');
      await owner.getByLabel('Email', { exact: true }).fill(ANA);
      await owner.getByRole('button', { name: 'Invite', exact: true }).click();
      const address = (await owner.getByTestId('invitation-address').textContent())!;
      // Signed out, it leads over the sign-in page back to the invitation.
      const visitor = await newPage();
      await visitor.goto(address);
      await visitor.getByRole('link', { name: 'Sign in', exact: true }).waitFor();
      await visitor.context().close();
      await ana.goto(address);
      await ana.getByText('You are signed in as').waitFor();
      await ana.getByRole('button', { name: 'Join', exact: true }).click();
      await ana.waitForURL('**/main/issues');
    });
  });

  test('leaving asks first; the last owner stays', async () => {
    await walk(ana, 'leave', async () => {
      await open(ana, '/main/settings/members');
      await ana.getByRole('button', { name: 'Leave the organization' }).click();
      await ana.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
      await ana.waitForURL((address) => !address.pathname.startsWith('/main/settings'));
      expect((await ana.goto(`${server.url}/main/issues`))?.status()).toBe(404);
      await open(owner, '/main/settings/members');
      await owner.getByRole('button', { name: 'Leave the organization' }).click();
      await owner.getByRole('dialog').getByRole('button', { name: 'Leave organization' }).click();
      await toast(owner, /An organization needs at least one owner/);
    });
  });

  test('the owner of the instance makes a second organization, which keeps to itself', async () => {
    await walk(owner, 'second-organization', async () => {
      await open(owner, '/main/issues');
      await owner.getByRole('button', { name: 'Organization Main, switch' }).press('Enter');
      await owner.getByRole('menuitem', { name: /^Main/ }).getByLabel('(current)').waitFor();
      await owner.getByRole('menuitem', { name: 'Create organization' }).press('Enter');
      await owner.waitForURL('**/organizations/new');
      await owner.getByLabel('Organization name').fill('Main');
      await owner.getByRole('button', { name: 'Create organization' }).click();
      await owner.getByText('The slug main is already used by another organization').waitFor();
      await owner.getByLabel('Organization name').fill('Second & Sons');
      expect(await owner.getByLabel('Organization slug').inputValue()).toBe('second-sons');
      await owner.getByRole('button', { name: 'Create organization' }).click();
      await owner.waitForURL('**/second-sons/projects/new');
      // What was looked at last opens first.
      await open(owner, '/');
      await owner.waitForURL('**/second-sons/issues');
      await owner.getByRole('button', { name: 'Organization Second & Sons, switch' }).click();
      await owner.getByRole('menuitem', { name: /^Main/ }).click();
      await owner.waitForURL('**/main/issues');
      await owner.getByRole('button', { name: 'Organization Main, switch' }).waitFor();
      await open(owner, '/');
      await owner.waitForURL('**/main/issues');
    });
    await walk(ana, 'no-organization', async () => {
      for (const path of ['/second-sons/issues', '/second-sons/settings/members']) {
        expect((await ana.goto(`${server.url}${path}`))?.status()).toBe(404);
      }
      await open(ana, '/');
      await ana.getByRole('heading', { name: 'You are not in an organization' }).waitFor();
      expect(await ana.getByRole('link', { name: 'Create organization' }).count()).toBe(0);
      await open(ana, '/organizations/new');
      await ana.getByRole('heading', { name: 'You cannot create organizations' }).waitFor();
    });
  });

  test('the command line and tokens tell the organizations apart', async () => {
    expect(
      (await server.cli(['organizations', 'create', 'third', '--name', 'Third', '--owner', ANA])).code,
    ).toBe(0);
    expect(await server.cli(['organizations', 'list'])).toMatchObject({
      stdout: 'main\tMain\nsecond-sons\tSecond & Sons\nthird\tThird\n',
    });
    const taken = await server.cli(['organizations', 'create', 'third']);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('third')]);
    const unnamed = await server.cli(['project', 'create', 'web']);
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('--org')]);
    expect((await server.cli(['project', 'create', 'web', '--org', 'third'])).code).toBe(0);
    const made = await server.cli(['token', 'create', '--scopes', 'org:admin,project:read', '--org', 'main']);
    const api = createApiClient(server.url, made.stdout.trim());
    expect((await api.request('GET', '/api/0/organizations/third/')).status).toBe(404);
    expect((await api.request('GET', '/api/0/projects/third/web/')).status).toBe(404);
    expect(await api.request('POST', '/api/0/organizations/', { name: 'Fourth' })).toMatchObject({
      status: 201,
      body: { slug: 'fourth' },
    });
    expect((await ana.goto(`${server.url}/third/issues`))?.status()).toBe(200);
  });

  test('a mail server that is away shows the address instead, with the reason', async () => {
    await mail.close();
    await walk(owner, 'no-mail', async () => {
      await open(owner, '/main/settings/members');
      await owner.getByLabel('Email', { exact: true }).fill('carl@example.com');
      await owner.getByRole('button', { name: 'Invite', exact: true }).click();
      await owner.getByText('Send this link to carl@example.com').waitFor();
      await owner.getByText(/The mail server did not accept the email/).waitFor();
      await owner.getByTestId('invitation-address').waitFor();
    });
  });
});
