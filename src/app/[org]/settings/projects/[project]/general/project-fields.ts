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
