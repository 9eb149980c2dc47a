import type { Member } from '#domain/people.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { ActivityNames } from '../activity-details.tsx';

/** How those are called that an activity can name. */
export const activityNames = (everybody: {
  members: readonly Member[];
  teams: readonly Team[];
}): ActivityNames => ({
  users: new Map(everybody.members.map(({ id, name, email }) => [id, name || email])),
  teams: new Map(everybody.teams.map(({ id, slug }) => [id, slug])),
});
