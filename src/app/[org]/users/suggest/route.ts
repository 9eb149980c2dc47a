import { parsePageFilters, timeBounds } from '#app/url-state.ts';
import { privateJson, withSession } from '#app/with-session.ts';
import { suggestUsers } from '#product/users/list-users.ts';
import { formatUserKey } from '#product/users/user-key.ts';
import type { SuggestedUser } from '../(list)/suggested-user.ts';

export const dynamic = 'force-dynamic';

/** People whose names contain `query`, of the filters of the page. */
export const GET = withSession<{ org: string }>(async ({ ctx, request }) => {
  const { searchParams } = new URL(request.url);
  const filters = parsePageFilters({
    ...Object.fromEntries(searchParams),
    project: searchParams.getAll('project'),
    environment: searchParams.getAll('environment'),
  });
  const users = await suggestUsers(ctx, {
    search: searchParams.get('query') ?? '',
    projectSlugs: filters.projects,
    environments: filters.environments,
    range: timeBounds(filters.time, ctx.now()),
  });
  return privateJson(
    users.map((user): SuggestedUser => {
      const names = [user.email, user.username, user.ip].filter(
        (name) => name !== null && name !== user.value,
      );
      return { key: formatUserKey(user), about: names.join(' · ') };
    }),
  );
});
