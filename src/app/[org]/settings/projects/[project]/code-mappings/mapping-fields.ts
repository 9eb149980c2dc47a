import { fields } from '#app/forms/fields.ts';

export const MAPPING_FIELDS = fields({
  stackRoot: {
    kind: 'text',
    label: 'Stack trace root',
    help: 'The start of paths in stack traces. May be empty.',
    placeholder: './src/',
    isOptional: true,
    max: 500,
  },
  sourceRoot: {
    kind: 'text',
    label: 'Source root',
    help: 'What replaces it in the repository. May be empty.',
    placeholder: 'web/src/',
    isOptional: true,
    max: 500,
  },
  repositoryId: { kind: 'choice', label: 'Repository' },
  defaultBranch: {
    kind: 'text',
    label: 'Branch',
    help: 'Used for links until a commit of the release is known.',
    max: 200,
  },
});
