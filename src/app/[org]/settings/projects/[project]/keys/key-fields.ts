import { fields } from '#app/forms/fields.ts';

export const KEY_FIELDS = fields({
  label: {
    kind: 'text',
    label: 'New key name',
    help: 'For example, the program or environment that uses it.',
    placeholder: 'Mobile app',
    max: 64,
  },
});

export const KEY_RATE_LIMIT_FIELDS = fields({
  count: { kind: 'number', label: 'Maximum errors', isOptional: true, max: 16 },
  window: { kind: 'choice', label: 'Window' },
});
