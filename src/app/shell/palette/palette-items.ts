import { SECTIONS } from '../navigation-sections.ts';
import { SHORTCUTS, type ShortcutId } from '../shortcuts.ts';
import type { PaletteAnswer } from './palette-answer.ts';
import type { PaletteGroup, PaletteItem } from './palette-item.ts';
import { placeItems, searchItems } from './place-items.ts';
import type { RecentPlace } from './recent-places.ts';

/** The order of the groups. What the server finds comes last, so that nothing moves under a hand that is typing. */
const GROUPS: readonly PaletteGroup[] = [
  'Recent',
  'On this page',
  'Go to',
  'Settings',
  'Projects',
  'Actions',
  'Found',
  'Issues',
];
/** What the server found for this text, or what is made of it. */
const ANSWERS: ReadonlySet<PaletteGroup> = new Set(['Found', 'Issues']);
/** Somebody who writes `web-3f` means the issue. */
const SHORT_ID = /^[a-z0-9][a-z0-9_-]*-[0-9a-z]+$/i;

/** All sections at least: they are what is listed before anything is typed. */
const GROUP_ITEMS_MAX = 15;
const FOUND_ITEMS_MAX = 5;

/** Keys that move about, and what the palette has by other names. */
const NO_COMMANDS: ReadonlySet<ShortcutId> = new Set([
  'palette',
  'help',
  'search',
  'list.next',
  'list.previous',
  'list.open',
  'list.select',
  'list.clear',
]);

/** What people call a page of the settings besides its name. */
const SETTINGS_KEYWORDS: Readonly<Record<string, string | undefined>> = {
  '': 'name slug delete',
  members: 'invite invitation user people role e-mail email add',
  teams: 'group people members',
  projects: 'dsn client keys',
  auth: 'authentication saml oidc login single sign-on 2fa two-factor password',
  tokens: 'api key sentry-cli ci build',
  'audit-log': 'history who',
  privacy: 'scrub pii gdpr ip address sensitive data',
  sharing: 'public link',
  quotas: 'limits rate limit spike',
  storage: 'disk retention days backup',
  destinations:
    'alerts webhook slack discord teams pagerduty telegram mattermost google chat ntfy channel notifications',
};

export function paletteItems({
  organizationSlug,
  answer,
  answered,
  recent,
  text = '',
}: {
  organizationSlug: string;
  /** null until the server has answered. */
  answer: PaletteAnswer | null;
  /** What keys would do on this page. */
  answered: readonly ShortcutId[];
  recent: readonly RecentPlace[];
  /** What is typed. */
  text?: string;
}): readonly PaletteItem[] {
  const base = `/${organizationSlug}`;
  const go = (
    group: PaletteGroup,
    path: string,
    label: string,
    more: Partial<PaletteItem> = {},
  ): PaletteItem => ({
    id: `go ${path}`,
    group,
    label,
    act: { kind: 'go', href: path },
    ...more,
  });
  return [
    ...recent.map((place) => go('Recent', place.href, place.label, { id: `recent ${place.href}` })),
    ...SHORTCUTS.filter(
      ({ id }) => answered.includes(id) && !NO_COMMANDS.has(id) && !id.startsWith('go.'),
    ).map(
      ({ id, label, keys }): PaletteItem => ({
        id,
        group: 'On this page',
        label,
        keys: keys[0],
        act: { kind: 'shortcut', id },
      }),
    ),
    ...searchItems(organizationSlug, text),
    ...(answer ? placeItems(organizationSlug, answer.places) : []),
    ...(answer?.issues ?? []).map((issue) =>
      go('Issues', `${base}/issues/${issue.shortId}`, `${issue.heading} ${issue.message}`.trim(), {
        words: issue.shortId,
        detail: issue.shortId,
      }),
    ),
    ...SECTIONS.map(({ home, label, shortcut }) =>
      go('Go to', `${base}/${home}`, label, {
        keys: SHORTCUTS.find(({ id }) => id === shortcut)?.keys[0],
      }),
    ),
    go('Go to', `${base}/monitors/uptime`, 'Uptime monitors', { words: 'http url check', isQuiet: true }),
    go('Go to', `${base}/users`, 'Users', { words: 'people customers', isQuiet: true }),
    go('Go to', `${base}/explore/traces`, 'Traces', { words: 'explore spans', isQuiet: true }),
    go('Go to', `${base}/explore/logs`, 'Logs', { words: 'explore', isQuiet: true }),
    go('Go to', `${base}/explore/metrics`, 'Metrics', { words: 'explore', isQuiet: true }),
    go('Go to', `${base}/explore/profiles`, 'Profiles', { words: 'explore flame', isQuiet: true }),
    go('Go to', '/docs', 'Documentation', { words: 'help docs guides manual how to', isQuiet: true }),
    go('Go to', '/account', 'My account', { words: 'profile name password email e-mail theme' }),
    go('Go to', '/account/security', 'Account security', {
      words: 'password two-factor 2fa mfa totp authenticator recovery codes',
      isQuiet: true,
    }),
    go('Go to', '/account/passkeys', 'Passkeys', { words: 'webauthn password', isQuiet: true }),
    go('Go to', '/account/sessions', 'My sessions', { words: 'sessions devices', isQuiet: true }),
    go('Go to', '/account/tokens', 'My tokens', {
      words: 'api key personal access auth token',
      isQuiet: true,
    }),
    go('Go to', '/account/notifications', 'My notifications', {
      words: 'mail e-mail email alerts weekly report mentions unsubscribe',
      isQuiet: true,
    }),
    ...(answer?.projects ?? []).flatMap(({ slug, name }) => [
      go('Projects', `${base}/projects/${slug}`, name, { words: slug, detail: slug, isQuiet: true }),
      go('Projects', `${base}/issues?project=${encodeURIComponent(slug)}`, `${name} issues`, {
        words: slug,
        isQuiet: true,
      }),
      go('Projects', `${base}/settings/projects/${slug}`, `${name} settings`, {
        words: slug,
        isQuiet: true,
      }),
      go('Projects', `${base}/settings/projects/${slug}/keys`, `${name} client keys`, {
        words: `${slug} dsn api key`,
        isQuiet: true,
      }),
      go('Projects', `${base}/alerts?project=${encodeURIComponent(slug)}`, `${name} alert rules`, {
        words: `${slug} notifications`,
        isQuiet: true,
      }),
    ]),
    ...(answer?.settings ?? []).map(({ path, label }) =>
      go('Settings', path ? `${base}/settings/${path}` : `${base}/settings`, label, {
        words: `settings organization ${SETTINGS_KEYWORDS[path] ?? ''}`,
        isQuiet: true,
      }),
    ),
    ...(answer?.canCreateProjects
      ? [go('Actions', `${base}/projects/new`, 'Create project', { words: 'create add connect sdk dsn' })]
      : []),
    ...(answer?.canChangeAlerts
      ? [
          go('Actions', `${base}/alerts/new`, 'Create alert rule', {
            words: 'create add notify notification',
          }),
          go('Actions', `${base}/monitors/crons/new`, 'New cron monitor', {
            words: 'create add job schedule',
            isQuiet: true,
          }),
        ]
      : []),
    ...(answer?.canChangeUptime
      ? [
          go('Actions', `${base}/monitors/uptime/new`, 'New uptime monitor', {
            words: 'create add url check http',
            isQuiet: true,
          }),
        ]
      : []),
    ...(answer?.canChangeDashboards
      ? [go('Actions', `${base}/dashboards/new`, 'New dashboard', { words: 'create add', isQuiet: true })]
      : []),
    ...(answer?.projects ?? []).map(
      ({ slug, name }): PaletteItem => ({
        id: `dsn ${slug}`,
        group: 'Actions',
        label: `Copy DSN of ${name}`,
        words: slug,
        isQuiet: answer !== null && answer.projects.length > 1,
        act: { kind: 'copy-dsn', projectSlug: slug },
      }),
    ),
    ...(['light', 'dark', 'system'] as const).map(
      (theme): PaletteItem => ({
        id: `theme ${theme}`,
        group: 'Actions',
        label: theme === 'system' ? 'System theme' : theme === 'light' ? 'Light theme' : 'Dark theme',
        words: 'appearance mode colours colors',
        act: { kind: 'theme', theme },
      }),
    ),
    {
      id: 'address',
      group: 'Actions',
      label: 'Copy link to this page',
      words: 'link url share',
      act: { kind: 'copy-address' },
    },
    {
      id: 'help',
      group: 'Actions',
      label: 'Keyboard shortcuts and search',
      words: 'help shortcuts keyboard',
      keys: '?',
      act: { kind: 'shortcut', id: 'help' },
    },
    {
      id: 'sign-out',
      group: 'Actions',
      label: 'Sign out',
      words: 'log out leave',
      act: { kind: 'sign-out' },
    },
  ];
}

/**
 * Items that have every typed word, by group; a label that begins with the text comes first. What the server found for
 * this text needs no second look.
 */
export function findItems(
  items: readonly PaletteItem[],
  text: string,
): readonly { group: PaletteGroup; items: readonly PaletteItem[] }[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const whole = words.join(' ');
  const isFound = (item: PaletteItem) => {
    if (words.length === 0) return !item.isQuiet && !ANSWERS.has(item.group);
    if (ANSWERS.has(item.group)) return true;
    const searched = `${item.label} ${item.words ?? ''} ${item.group}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  };
  const begins = (item: PaletteItem) => Number(!item.label.toLowerCase().startsWith(whole));
  const groups: readonly PaletteGroup[] = SHORT_ID.test(text.trim())
    ? ['Issues', ...GROUPS.slice(0, -1)]
    : GROUPS;
  return groups
    .map((group) => ({
      group,
      items: items
        .filter((item) => item.group === group && isFound(item))
        .toSorted((a, b) => (whole === '' || ANSWERS.has(group) ? 0 : begins(a) - begins(b)))
        .slice(0, whole === '' || ANSWERS.has(group) ? GROUP_ITEMS_MAX : FOUND_ITEMS_MAX),
    }))
    .filter(({ items: found }) => found.length > 0);
}
