/** What the dynamic parts of paths stand for. */
const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  org: 'The organization, by slug or number',
  project: 'The project, by slug or number',
  issue: 'The issue, by number or short id such as WEB-3F',
  event: 'The event, by its id',
  team: 'The team, by slug or number',
  member: 'The member, by number, user id or "me"',
  key: 'The key',
  version: 'The release, by its version; a slash in it is %2F',
  monitor: 'The monitor, by its slug',
  replay: 'The replay, by its id',
  segment: 'The segment, by its number',
  trace: 'The trace, by its id of 32 hexadecimal digits',
  attachment: 'The attachment, by its id',
  profile: 'The profile, by its id',
  environment: 'The environment, by its name',
  short: 'The short id of an issue, such as WEB-3F',
  filter: 'The inbound filter, by its id',
};

export const describePathParameter = (name: string): string =>
  PATH_PARAMETERS[name] ?? `The ${name}, by its number`;
