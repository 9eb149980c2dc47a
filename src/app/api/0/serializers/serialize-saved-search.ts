import type { SavedSearch } from '#product/saved-searches/saved-search-store.ts';
import { isoOfMs } from './serialize-moment.ts';

/** The shape of Sentry's; none is global or pinned here. */
export const serializeSavedSearch = (search: SavedSearch) => ({
  id: String(search.id),
  type: 0,
  name: search.name,
  query: search.query,
  sort: search.sort,
  visibility: search.isShared ? 'organization' : 'owner',
  dateCreated: isoOfMs(search.createdAt),
  isGlobal: false,
  isPinned: false,
});
