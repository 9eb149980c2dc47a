import { fieldForEach, fields } from '#app/forms/fields.ts';
import { RETENTION_GROUPS } from '#protocol/retention.ts';
import { GROUP_LABELS } from './retention-labels.ts';

export const RETENTION_FIELDS = fieldForEach(RETENTION_GROUPS, (group) => ({
  kind: 'number',
  label: GROUP_LABELS[group].label,
  unit: 'days',
  help: GROUP_LABELS[group].holds,
  isOptional: true,
  max: 6,
}));

export const BUDGET_FIELDS = fields({
  project: { kind: 'choice', label: 'Project' },
  budget: {
    kind: 'number',
    label: 'Budget',
    unit: 'GiB',
    help: 'Leave empty to give the project its fair share automatically.',
    isOptional: true,
    allowsFraction: true,
    max: 12,
  },
});
