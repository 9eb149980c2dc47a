import { fields } from '#app/forms/fields.ts';

export const INVITE_FIELDS = fields({
  email: { kind: 'email', label: 'Email', placeholder: 'ana@example.com' },
  role: { kind: 'choice', label: 'Role' },
  teams: { kind: 'choices', label: 'Teams' },
});
