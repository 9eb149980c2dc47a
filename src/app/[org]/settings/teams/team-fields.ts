import { fields } from '#app/forms/fields.ts';

export const TEAM_FIELDS = fields({
  name: {
    kind: 'text',
    label: 'New team name',
    help: 'The name you use in #mentions and ownership rules is derived from it.',
    placeholder: 'Payments',
    max: 64,
  },
});
