import { filterProblem, problemAt, type SearchScope, unknownValue } from './search-problem.ts';
import type { FilterToken, TextValue } from './syntax/search-tokens.ts';
import { readTexts, unescapeText } from './text-match.ts';

export type Assignees = { userIds: readonly string[]; teamIds: readonly number[]; isNobody: boolean };

/** `me`, `my_teams`, `none`, `#team`, or a member's e-mail address. Throws Invalid, naming the character. */
export async function readAssignees(filter: FilterToken, scope: SearchScope): Promise<Assignees> {
  const found = { userIds: new Set<string>(), teamIds: new Set<number>(), isNobody: false };
  for (const value of readTexts(filter)) {
    const name = unescapeText(value.text);
    const lower = name.toLowerCase();
    if (lower === 'none') found.isNobody = true;
    else if (lower === 'my_teams')
      for (const id of await myTeams(filter, value, scope)) found.teamIds.add(id);
    else if (name.startsWith('#')) found.teamIds.add(await findTeam(filter, value, name.slice(1), scope));
    else found.userIds.add(await findPerson(filter, value, scope, ASSIGNEES));
  }
  return { userIds: [...found.userIds], teamIds: [...found.teamIds], isNobody: found.isNobody };
}

/** `me` or members' e-mail addresses. */
export async function readPeople(filter: FilterToken, scope: SearchScope): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const value of readTexts(filter)) ids.add(await findPerson(filter, value, scope, PEOPLE));
  return [...ids];
}

const PEOPLE = "me, a member's email address";
const ASSIGNEES = `me, none, my_teams, #team, a member's email address`;

async function findPerson(
  filter: FilterToken,
  value: TextValue,
  scope: SearchScope,
  possible: string,
): Promise<string> {
  const name = unescapeText(value.text).toLowerCase();
  if (name === 'me') return whoAsks(filter, value, scope);
  const members = await scope.members();
  const member = members.find(({ id, email }) => id === value.text || email.toLowerCase() === name);
  if (!member) throw unknownValue(filter, value, possible);
  return member.id;
}

async function findTeam(
  filter: FilterToken,
  value: TextValue,
  slug: string,
  scope: SearchScope,
): Promise<number> {
  const teams = await scope.teams();
  const team = teams.find((candidate) => candidate.slug === slug.toLowerCase());
  if (team) return team.id;
  const known = teams.map((candidate) => `#${candidate.slug}`);
  throw unknownValue(filter, value, known.slice(0, 10).join(', ') || 'none: there are no teams yet', known);
}

async function myTeams(
  filter: FilterToken,
  value: TextValue,
  scope: SearchScope,
): Promise<readonly number[]> {
  const userId = whoAsks(filter, value, scope);
  const teams = await scope.teams();
  return teams.filter((team) => team.memberIds.includes(userId)).map((team) => team.id);
}

function whoAsks(filter: FilterToken, value: TextValue, { userId }: SearchScope): string {
  if (userId !== null) return userId;
  if (filter.value.kind !== 'text') throw problemAt(value, '"me" at % requires a signed-in user');
  throw filterProblem(filter, 'requires a signed-in user: use an email address instead of "me"');
}
