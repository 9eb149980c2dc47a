import { fields } from '#app/forms/fields.ts';

export const ORGANIZATION_FIELDS = fields({
  name: { kind: 'text', label: 'Name', max: 100 },
  slug: {
    kind: 'slug',
    label: 'Slug',
    help: 'Part of every URL. URLs with the old slug redirect until another organization takes it. Scripts that use the API need the new one.',
    max: 50,
  },
  isOpen: {
    kind: 'switch',
    label: 'Open membership',
    help: 'Every member can see every project. When this is off, viewers, members and admins only see the projects of their teams; managers and owners still see all.',
  },
});
