import { fields } from '#app/forms/fields.ts';
import { TOKEN_EXPIRY_FIELDS } from '#app/token-days.ts';

export const TOKEN_FIELDS = fields({
  name: {
    kind: 'text',
    label: 'New token name',
    help: 'For example, the pipeline that uses it.',
    placeholder: 'Web app release build',
    max: 255,
  },
  ...TOKEN_EXPIRY_FIELDS,
});
