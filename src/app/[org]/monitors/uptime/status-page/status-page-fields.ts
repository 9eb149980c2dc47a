import { fields } from '#app/forms/fields.ts';

export const STATUS_PAGE_FIELDS = fields({
  isPublic: {
    kind: 'switch',
    label: 'Publish the page',
    help: 'Anyone who has its address can see it, without signing in. Search engines are asked not to list it.',
  },
  title: { kind: 'text', label: 'Title', max: 100 },
  slug: {
    kind: 'slug',
    label: 'Address',
    help: 'The last part of the URL. Keep one that is hard to guess if the page is not for everyone.',
    max: 64,
  },
  showsUrls: {
    kind: 'switch',
    label: 'Show URLs',
    help: 'Otherwise only the names of the monitors are shown.',
  },
  monitors: { kind: 'choices', label: 'Monitors' },
});
