import type { Member } from '#domain/people.ts';
import type { Project } from '#domain/projects.ts';
import { closestWord } from '#lib/closest-word.ts';
import { type ErrataError, invalid } from '#lib/errors.ts';
import { userIdOf } from '#product/acting-user.ts';
import type { Context } from '#product/context.ts';
import type { Team } from '#product/teams/team-store.ts';
import type { SeenRelease } from '#storage/ports/search.ts';
import type { FilterToken, SearchKey, Span } from './syntax/search-tokens.ts';

const SHOWN_CHARACTERS_MAX = 80;

/** What is wrong at a place of the search, counted from 1, with what to write instead. */
export const problemAt = ({ start }: Pick<Span, 'start'>, what: string): ErrataError =>
  invalid(what.replace('%', `character ${start + 1}`), 'query');

/** As `problemAt`, about a filter: `"level:" at character 5 needs a value`. */
export const filterProblem = (filter: FilterToken, what: string): ErrataError =>
  invalid(`"${nameOf(filter.key)}:" at character ${filter.start + 1} ${what}`, 'query');

/** A value that the key does not have; `values` are those among which the one that was meant is looked for. */
export function unknownValue(
  filter: FilterToken,
  value: { text: string; start: number },
  possible: string,
  values: readonly string[] = [],
): ErrataError {
  const meant = closestWord(value.text, values);
  const where = `at character ${value.start + 1}${meant === null ? '.' : `: did you mean "${meant}"?`}`;
  return invalid(
    `"${nameOf(filter.key)}:" does not support "${value.text.slice(0, SHOWN_CHARACTERS_MAX)}" ${where} Supported values: ${possible}`,
    'query',
  );
}

/** The key as it was written, without quotes. */
export function nameOf(key: SearchKey): string {
  const name = key.name.slice(0, SHOWN_CHARACTERS_MAX);
  switch (key.kind) {
    case 'simple':
      return name;
    case 'tag':
      return `${key.prefix}[${name}]`;
    case 'aggregate':
      return `${name}()`;
  }
}

/** Releases that a search can name by their version: the newest so many. */
export const RELEASES_MAX = 2_000;

/** What the words of a search are looked up in; each list is read once, when it is first needed. */
export type SearchScope = {
  nowMs: number;
  /** null for jobs: nobody is "me". */
  userId: string | null;
  /** Those that are searched. */
  projects: readonly Project[];
  members(): Promise<readonly Member[]>;
  teams(): Promise<readonly Team[]>;
  releases(): Promise<readonly SeenRelease[]>;
};

export function openScope(ctx: Context, projects: readonly Project[]): SearchScope {
  const { stores, organization } = ctx;
  const projectIds = projects.map((project) => project.id);
  return {
    nowMs: ctx.now(),
    userId: userIdOf(ctx),
    projects,
    members: once(() => stores.accounts.listMembers(organization.id)),
    teams: once(() => stores.teams.list(organization.id)),
    releases: once(() => stores.searchNames.listReleases(organization.id, projectIds, RELEASES_MAX)),
  };
}

function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | null = null;
  return () => {
    reading ??= read();
    return reading;
  };
}
