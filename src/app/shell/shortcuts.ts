/**
 * Every key that the app listens to. `keys` are those of `KeyboardEvent.key`; two in a row are written with a space, and
 * `mod` is Control, or Command on a Mac. A page gives the handlers by id; where it gives none the key does nothing.
 */
export const SHORTCUTS = [
  { id: 'palette', keys: ['mod+k'], label: 'Open command palette', group: 'anywhere' },
  { id: 'search', keys: ['/'], label: 'Search this page', group: 'anywhere' },
  { id: 'help', keys: ['?'], label: 'Keyboard shortcuts and search', group: 'anywhere' },
  { id: 'go.issues', keys: ['g i'], label: 'Go to Issues', group: 'anywhere' },
  { id: 'go.projects', keys: ['g p'], label: 'Go to Projects', group: 'anywhere' },
  { id: 'go.feedback', keys: ['g b'], label: 'Go to Feedback', group: 'anywhere' },
  { id: 'go.replays', keys: ['g y'], label: 'Go to Replays', group: 'anywhere' },
  { id: 'go.releases', keys: ['g r'], label: 'Go to Releases', group: 'anywhere' },
  { id: 'go.alerts', keys: ['g a'], label: 'Go to Alerts', group: 'anywhere' },
  { id: 'go.overview', keys: ['g w'], label: 'Go to Weekly summary', group: 'anywhere' },
  { id: 'go.explore', keys: ['g e'], label: 'Go to Explore', group: 'anywhere' },
  { id: 'go.performance', keys: ['g f'], label: 'Go to Performance', group: 'anywhere' },
  { id: 'go.dashboards', keys: ['g d'], label: 'Go to Dashboards', group: 'anywhere' },
  { id: 'go.monitors', keys: ['g m'], label: 'Go to Monitors', group: 'anywhere' },
  { id: 'go.stats', keys: ['g s'], label: 'Go to Stats', group: 'anywhere' },
  { id: 'go.settings', keys: ['g ,'], label: 'Go to Settings', group: 'anywhere' },
  { id: 'list.next', keys: ['j'], label: 'Next issue', group: 'list' },
  { id: 'list.previous', keys: ['k'], label: 'Previous issue', group: 'list' },
  { id: 'list.open', keys: ['o'], label: 'Open the issue (or Enter)', group: 'list' },
  { id: 'list.select', keys: ['x'], label: 'Select the issue', group: 'list' },
  { id: 'list.resolve', keys: ['e'], label: 'Resolve', group: 'list' },
  { id: 'list.archive', keys: ['a'], label: 'Archive until it escalates', group: 'list' },
  { id: 'list.assign', keys: ['m'], label: 'Assign to me', group: 'list' },
  { id: 'list.clear', keys: ['Escape'], label: 'Clear selection', group: 'list' },
  { id: 'issue.next-event', keys: [']'], label: 'Next event', group: 'issue' },
  { id: 'issue.previous-event', keys: ['['], label: 'Previous event', group: 'issue' },
  { id: 'issue.resolve', keys: ['e'], label: 'Resolve or unresolve', group: 'issue' },
  { id: 'issue.archive', keys: ['a'], label: 'Archive or unarchive', group: 'issue' },
  { id: 'issue.assign', keys: ['m'], label: 'Assign to me', group: 'issue' },
  { id: 'issue.next', keys: ['j'], label: 'Next issue in the list', group: 'issue' },
  { id: 'issue.previous', keys: ['k'], label: 'Previous issue in the list', group: 'issue' },
  { id: 'issue.back', keys: ['u'], label: 'Back to issues', group: 'issue' },
  { id: 'replay.play', keys: ['Space'], label: 'Play or pause', group: 'replay' },
  { id: 'replay.back', keys: ['ArrowLeft'], label: 'Back 5 seconds', group: 'replay' },
  { id: 'replay.forward', keys: ['ArrowRight'], label: 'Forward 5 seconds', group: 'replay' },
  { id: 'replay.slower', keys: ['<'], label: 'Slower', group: 'replay' },
  { id: 'replay.faster', keys: ['>'], label: 'Faster', group: 'replay' },
  { id: 'replay.fullscreen', keys: ['f'], label: 'Full screen', group: 'replay' },
] as const satisfies readonly Shortcut[];

export type Shortcut = {
  id: string;
  /** Any of them does it. */
  keys: readonly string[];
  label: string;
  group: 'anywhere' | 'list' | 'issue' | 'replay';
};
export type ShortcutId = (typeof SHORTCUTS)[number]['id'];

export const SHORTCUT_GROUPS: Readonly<Record<Shortcut['group'], string>> = {
  anywhere: 'Anywhere',
  list: 'Issue list',
  issue: 'On an issue',
  replay: 'On a replay',
};

/** The second key of two must follow within this time. */
export const SEQUENCE_MS_MAX = 1_200;
