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
  ])('finds by what people call it: %s', (text, label) => {
    expect(labels(text)).toContain(label);
  });

  it('puts what begins with the text first', () => {
    const projects = findItems(items, 'web').find(({ group }) => group === 'Projects');
    expect(projects?.items[0]?.label).toBe('Web shop');
  });

  it('shows what the server found as it is', () => {
    expect(labels('something else entirely')).toEqual(['TypeError x is undefined']);
  });

  it('puts issues last, where they push nothing away, unless a short id is written', () => {
    const groups = (text: string) => findItems(items, text).map(({ group }) => group);
    expect(groups('settings').at(-1)).toBe('Issues');
    expect(groups('web-3f')[0]).toBe('Issues');
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
