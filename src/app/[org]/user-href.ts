import { type QueryEntries, withQuery } from '#app/url-state.ts';
import { formatUserKey } from '#product/users/user-key.ts';
import type { UserKey } from '#storage/ports/user-activity.ts';

/** The page of somebody who uses the programs; `entries` are filters that it keeps. */
export const userHref = (organizationSlug: string, key: UserKey, entries: QueryEntries = {}): string =>
  withQuery(`/${organizationSlug}/users/${encodeURIComponent(formatUserKey(key))}`, entries);
