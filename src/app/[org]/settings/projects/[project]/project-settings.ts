import type { SettingsGroup } from '#app/shell/settings-navigation.tsx';

/** Every page of a project's settings, in its order. */
export const PROJECT_SETTINGS: readonly SettingsGroup[] = [
  {
    label: 'Project',
    pages: [
      { path: '', label: 'General' },
      { path: 'keys', label: 'Client keys' },
    ],
  },
  {
    label: 'Issues',
    pages: [
      { path: 'alerts', label: 'Alerts' },
      { path: 'ownership', label: 'Ownership' },
      { path: 'grouping', label: 'Grouping' },
      { path: 'performance-issues', label: 'Performance issues' },
      { path: 'feedback', label: 'Feedback' },
      { path: 'discarded', label: 'Discarded issues' },
    ],
  },
  {
    label: 'Incoming data',
    pages: [
      { path: 'filters', label: 'Inbound filters' },
      { path: 'privacy', label: 'Privacy' },
      { path: 'rate-limits', label: 'Rate limits' },
    ],
  },
  {
    label: 'Source code',
    pages: [
      { path: 'source-maps', label: 'Source maps' },
      { path: 'code-mappings', label: 'Code mappings' },
    ],
  },
];
