import { fields } from '#app/forms/fields.ts';

export const PROFILE_FIELDS = fields({ name: { kind: 'text', label: 'Your name', max: 100 } });
