import { fields } from '#app/forms/fields.ts';

const TITLE = { kind: 'text', label: 'Title', max: 100 } as const;
const DESCRIPTION = {
  kind: 'text',
  label: 'Description',
  max: 500,
  isOptional: true,
  help: 'What it is for, in a sentence.',
} as const;

/** What a new dashboard is made of. */
export const NEW_DASHBOARD_FIELDS = fields({
  title: {
    ...TITLE,
    isOptional: true,
    help: 'Leave it empty to take the title of the template or the file.',
  },
  template: {
    kind: 'choice',
    label: 'Begin with',
    options: [
      { value: '', label: 'An empty dashboard' },
      { value: 'web', label: 'Web app: errors by browser, page loads' },
      { value: 'backend', label: 'Backend: requests, failures, queries, logs' },
      { value: 'mobile', label: 'Mobile app: crashes by device, app starts' },
      { value: 'release', label: 'Releases: what one changed' },
    ],
  },
  json: {
    kind: 'lines',
    label: 'Import from JSON',
    isOptional: true,
    max: 500_000,
    help: 'The export of a dashboard of Errata, or what Sentry’s API answers for one. Replaces the template.',
  },
});

export const DASHBOARD_FIELDS = fields({
  title: TITLE,
  description: DESCRIPTION,
  variables: {
    kind: 'lines',
    label: 'Variables',
    isOptional: true,
    help: 'Up to 5 fields, one per line, such as release. Readers choose a value at the top, and every widget follows.',
  },
});
