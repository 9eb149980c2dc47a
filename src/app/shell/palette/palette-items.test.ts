import { describe, expect, it } from 'vitest';
import type { PaletteAnswer } from './palette-answer.ts';
import { findItems, paletteItems } from './palette-items.ts';

const answer: PaletteAnswer = {
  projects: [
    { slug: 'web', name: 'Web shop' },
    { slug: 'api', name: 'API' },
  ],
  issues: [
    {
      shortId: 'WEB-3F',
      heading: 'TypeError',
      message: 'x is undefined',
      level: 'error',
      status: 'resolved',
    },
  ],
  settings: [
    { path: 'teams', label: 'Teams' },
    { path: 'members', label: 'Members' },
    { path: 'auth', label: 'Security & SSO' },
    { path: 'privacy', label: 'Privacy' },
  ],
  canCreateProjects: true,
  canChangeAlerts: true,
  canChangeUptime: true,
  canChangeDashboards: true,
  places: {
    monitors: [{ id: 3, name: 'Nightly backup', projectSlug: 'web' }],
    uptimeMonitors: [{ id: 4, name: 'Shop', projectSlug: 'web' }],
    dashboards: [{ title: 'Shop health', href: '/acme/dashboards/5' }],
    users: [{ key: 'email:ann@example.com', name: 'ann@example.com' }],
    releases: [{ version: 'web@1.0.0', href: '/acme/releases/web@1.0.0' }],
  },
};
const items = paletteItems({
  organizationSlug: 'acme',
  answer,
  answered: ['palette', 'help', 'go.stats', 'issue.resolve'],
  recent: [{ href: '/acme/issues/WEB-1', label: 'WEB-1' }],
});
const labels = (text: string) =>
  findItems(items, text).flatMap(({ items: found }) => found.map((item) => item.label));

describe('the command palette', () => {
  it('offers recent places, what the page can do, and the sections before anything is typed', () => {
    const groups = findItems(items, '').map(({ group }) => group);
    expect(groups).toEqual(['Recent', 'On this page', 'Go to', 'Actions']);
    expect(labels('')).toContain('Resolve or unresolve');
    expect(labels('')).not.toContain('Copy DSN of API');
  });

  it('finds by every word, wherever it stands', () => {
    expect(labels('dsn web')).toContain('Copy DSN of Web shop');
    expect(labels('dsn web')).not.toContain('Copy DSN of API');
    expect(labels('2fa')).toContain('Account security');
    expect(labels('settings team')).toContain('Teams');
  });

  it.each([
    ['invite', 'Members'],
    ['api key', 'My tokens'],
    ['password', 'Account security'],
    ['2fa', 'Account security'],
    ['sso', 'Security & SSO'],
    ['gdpr', 'Privacy'],
    ['theme', 'Dark theme'],
    ['dark mode', 'Dark theme'],
    ['dsn', 'Create project'],
    ['client keys api', 'API client keys'],
    ['notify', 'Create alert rule'],
    ['unsubscribe', 'My notifications'],
    ['alert rules web', 'Web shop alert rules'],
    ['cron', 'New cron monitor'],
    ['create uptime', 'New uptime monitor'],
    ['dashboard', 'New dashboard'],
    ['users', 'Users'],
    ['uptime', 'Uptime monitors'],
  ])('finds by what people call it: %s', (text, label) => {
    expect(labels(text)).toContain(label);
  });

  it('puts what begins with the text first', () => {
    const projects = findItems(items, 'web').find(({ group }) => group === 'Projects');
    expect(projects?.items[0]?.label).toBe('Web shop');
  });

  it('shows what the server found as it is', () => {
    expect(labels('something else entirely')).toEqual([
      'Shop health',
      'Nightly backup',
      'Shop',
      'web@1.0.0',
      'ann@example.com',
      'TypeError x is undefined',
    ]);
    const hrefs = items.flatMap(({ group, act }) =>
      group === 'Found' && act.kind === 'go' ? [act.href] : [],
    );
    expect(hrefs).toEqual([
      '/acme/dashboards/5',
      '/acme/monitors/crons/3',
      '/acme/monitors/uptime/4',
      '/acme/releases/web@1.0.0',
      '/acme/users/email%3Aann%40example.com',
    ]);
  });

  it('puts issues last, where they push nothing away, unless a short id is written', () => {
    const groups = (text: string) => findItems(items, text).map(({ group }) => group);
    expect(groups('settings').at(-1)).toBe('Issues');
    expect(groups('web-3f')[0]).toBe('Issues');
  });

  it('searches the list that the first word names', () => {
    const search = (text: string) =>
      paletteItems({ organizationSlug: 'acme', answer, answered: [], recent: [], text }).find(({ id }) =>
        id.startsWith('search '),
      );
    expect(search('Replays check out')).toMatchObject({
      label: 'Search replays for “check out”',
      act: { href: '/acme/replays?query=check+out' },
    });
    for (const text of ['', 'replays', 'check out', 'stats replays']) expect(search(text)).toBeUndefined();
  });

  it('shows every section before anything is typed', () => {
    for (const label of ['Feedback', 'Replays', 'Monitors', 'Dashboards', 'Settings', 'My account']) {
      expect(labels('')).toContain(label);
    }
  });

  it('has each id once', () => {
    expect(new Set(items.map((item) => item.id)).size).toBe(items.length);
  });

  it('does without the server', () => {
    const known = paletteItems({ organizationSlug: 'acme', answer: null, answered: [], recent: [] });
    expect(findItems(known, 'stats').flatMap((each) => each.items)).toMatchObject([
      { act: { kind: 'go', href: '/acme/stats' } },
    ]);
    expect(known.some((item) => /^New /.test(item.label))).toBe(false);
  });
});
