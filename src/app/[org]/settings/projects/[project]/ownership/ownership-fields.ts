import { fields } from '#app/forms/fields.ts';

export const OWNERSHIP_FIELDS = fields({
  rules: { kind: 'lines', label: 'Ownership rules', isOptional: true },
  codeowners: { kind: 'lines', label: 'CODEOWNERS', isOptional: true },
  stackRoot: {
    kind: 'text',
    label: 'Stack trace root',
    help: 'The start of paths in your stack traces.',
    placeholder: 'app:///dist/',
    isOptional: true,
    max: 500,
  },
  sourceRoot: {
    kind: 'text',
    label: 'Source root',
    help: 'What replaces it in the repository.',
    placeholder: 'src/',
    isOptional: true,
    max: 500,
  },
  autoAssign: {
    kind: 'switch',
    label: 'Assign issues to their owner',
    help: 'New and regressed issues that are unassigned are assigned to the first owner of the last matching rule. Otherwise, owners are only suggested on the issue page.',
  },
});
