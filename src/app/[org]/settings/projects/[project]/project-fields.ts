import { fields } from '#app/forms/fields.ts';

export const PROJECT_FIELDS = fields({
  name: { kind: 'text', label: 'Name', max: 200 },
  slug: {
    kind: 'slug',
    label: 'Slug',
    help: 'Part of URLs and of new issue IDs. URLs and scripts that use the old slug stop working; issues keep their IDs, and SDKs keep sending.',
    max: 50,
  },
  platform: {
    kind: 'choice',
    label: 'Platform',
    help: 'Determines which setup instructions are shown.',
  },
});

export const KEY_FIELDS = fields({
  label: {
    kind: 'text',
    label: 'New key name',
    help: 'For example, the app or environment that uses it.',
    placeholder: 'Mobile app',
    max: 64,
  },
});

export const KEY_RATE_LIMIT_FIELDS = fields({
  count: { kind: 'number', label: 'Maximum errors', isOptional: true, max: 16 },
  window: { kind: 'choice', label: 'Window' },
});

export const SPIKE_FIELDS = fields({
  isEnabled: {
    kind: 'switch',
    label: 'Store details for only a sample of events when an issue spikes',
    help: 'Every event is still counted, with its users and tags, so all numbers stay exact. Past the threshold, stack traces, breadcrumbs and other details are kept for every 10th event, and past ten times the threshold for every 100th. Details are what fills the disk during a spike.',
  },
  bodiesPerHour: {
    kind: 'number',
    label: 'Threshold',
    unit: 'events per issue per hour',
    help: 'All details are kept up to this many events in a clock hour.',
    max: 12,
  },
});

const pathField = (label: string, help: string, placeholder: string) =>
  ({ kind: 'text', label, help, placeholder, isOptional: true, max: 500 }) as const;

export const MAPPING_FIELDS = fields({
  stackRoot: pathField('Stack trace root', 'The start of paths in stack traces. May be empty.', './src/'),
  sourceRoot: pathField('Source root', 'What replaces it in the repository. May be empty.', 'web/src/'),
  repositoryId: { kind: 'choice', label: 'Repository' },
  defaultBranch: {
    kind: 'text',
    label: 'Branch',
    help: 'Used for links until a commit of the release is known.',
    max: 200,
  },
});

export const OWNERSHIP_FIELDS = fields({
  rules: { kind: 'lines', label: 'Ownership rules', isOptional: true },
  codeowners: { kind: 'lines', label: 'CODEOWNERS', isOptional: true },
  stackRoot: pathField('Stack trace root', 'The start of paths in your stack traces.', 'app:///dist/'),
  sourceRoot: pathField('Source root', 'What replaces it in the repository.', 'src/'),
  autoAssign: {
    kind: 'switch',
    label: 'Assign issues to their owner',
    help: 'New and regressed issues that are unassigned are assigned to the first owner of the last matching rule. Otherwise, owners are only suggested on the issue page.',
  },
});
