import { invalid } from '#lib/errors.ts';
import { LONG_TEXT_CHARACTERS_MAX } from '../../record-parts.ts';
import type { RecordOf, TransferRecord } from '../../records.ts';
import { hexOf, numberOf, parsedOf, textOf, timeOf } from '../foreign-values.ts';
import { emailOf } from '../people.ts';
import { unmapped } from '../unmapped.ts';
import type { ExportModel, ExportRow, SentryExport } from './export-file.ts';
import type { SentryPeople } from './people-of-sentry.ts';
import { roleOf } from './roles.ts';

/** The rows of an export that belong to one organization. */
export type ExportOrganization = {
  organization: ExportRow;
  members: readonly ExportRow[];
  teams: readonly ExportRow[];
  projects: readonly ExportRow[];
  people: SentryPeople;
  /** Rows whose column is the ID of this organization, or of one of its projects. */
  ofOrganization(model: ExportModel, column: string): readonly ExportRow[];
  ofProjects(model: ExportModel, column: string): readonly ExportRow[];
};

/** Organizations, teams, projects, keys and monitors that are neither hidden nor being deleted. */
const ACTIVE = 0;

/** The one with the slug, or the only one; `projects` are slugs, null for all. Throws Invalid, naming those there are. */
export function selectOrganization(
  data: SentryExport,
  slug: string | null,
  projects: ReadonlySet<string> | null,
): ExportOrganization {
  const all = data.rows('organization').filter(isActive);
  const slugs = all.map(({ fields }) => fields.slug).join(', ');
  const found = slug === null ? all : all.filter(({ fields }) => fields.slug === slug);
  const [organization] = found;
  if (!organization)
    throw invalid(`The file has no organization ${slug ?? ''}: choose one with --from (${slugs})`);
  if (found.length > 1) {
    throw invalid(`The file has more than one organization: choose one with --from (${slugs})`);
  }
  const ofOrganization = (model: ExportModel, column: string) =>
    data.rows(model).filter(({ fields }) => String(fields[column]) === organization.pk);
  const emails = new Map(
    data.rows('user').map(({ pk, fields }) => [pk, emailOf(fields.email) ?? emailOf(fields.username)]),
  );
  const teams = ofOrganization('team', 'organization').filter(isActive);
  const teamIds = new Set(teams.map(({ pk }) => pk));
  const chosen = ofOrganization('project', 'organization')
    .filter(isActive)
    .filter(({ fields }) => projects === null || projects.has(String(fields.slug)));
  const projectIds = new Set(chosen.map(({ pk }) => pk));
  return {
    organization,
    members: ofOrganization('organizationmember', 'organization'),
    teams,
    projects: chosen,
    people: { emailOf: (id) => emails.get(id) ?? null, hasTeam: (id) => teamIds.has(id) },
    ofOrganization,
    ofProjects: (model, column) =>
      data.rows(model).filter(({ fields }) => projectIds.has(String(fields[column]))),
  };
}

const isActive = ({ fields }: ExportRow): boolean => numberOf(fields.status) === ACTIVE;

/** Bit of the flags of an organization: whether everybody may join every team. */
const ALLOW_JOINLEAVE = 1;

export function organizationRecord({
  organization: { pk, fields },
}: ExportOrganization): RecordOf<'organization'> {
  const slug = String(fields.slug);
  return {
    kind: 'organization',
    id: pk,
    slug,
    name: textOf(fields.name) ?? slug,
    isOpen: (numberOf(fields.flags) & ALLOW_JOINLEAVE) !== 0,
  };
}

const emailOfMember = ({ fields }: ExportRow, people: SentryPeople): string | null =>
  emailOf(fields.user_email) ?? people.emailOf(String(fields.user_id)) ?? emailOf(fields.email);

export function* memberRecords(
  data: SentryExport,
  { members, people }: ExportOrganization,
): Generator<TransferRecord> {
  const names = new Map(data.rows('user').map(({ pk, fields }) => [pk, textOf(fields.name)]));
  for (const member of members) {
    const { pk, fields } = member;
    const email = emailOfMember(member, people);
    if (email === null) {
      yield unmapped('member', pk, fields.user_email ?? fields.email, 'The user has no email address');
    } else {
      yield {
        kind: 'member',
        id: pk,
        email,
        name: names.get(String(fields.user_id)) ?? null,
        role: roleOf(fields.role),
      };
    }
  }
}

export function* teamRecords(
  data: SentryExport,
  { teams, members, people }: ExportOrganization,
): Generator<TransferRecord> {
  const emails = new Map(members.map((member) => [member.pk, emailOfMember(member, people)]));
  const memberships = data.rows('organizationmemberteam').filter(({ fields }) => fields.is_active !== false);
  const byTeam = Map.groupBy(memberships, ({ fields }) => String(fields.team));
  for (const { pk, fields } of teams) {
    const slug = String(fields.slug);
    yield {
      kind: 'team',
      id: pk,
      slug,
      name: textOf(fields.name) ?? slug,
      members: (byTeam.get(pk) ?? []).flatMap(
        (each) => emails.get(String(each.fields.organizationmember)) ?? [],
      ),
    };
  }
}

export function* projectRecords({
  projects,
  teams,
  ofProjects,
}: ExportOrganization): Generator<TransferRecord> {
  const teamIds = new Set(teams.map(({ pk }) => pk));
  const keys = groupByProject(ofProjects('projectkey', 'project'));
  const links = groupByProject(ofProjects('projectteam', 'project'));
  const ownership = groupByProject(ofProjects('projectownership', 'project'));
  const options = groupByProject(ofProjects('projectoption', 'project'));
  for (const { pk, fields } of projects) {
    const option = (key: string) =>
      optionText((options.get(pk) ?? []).find((each) => each.fields.key === key));
    const slug = String(fields.slug);
    yield {
      kind: 'project',
      id: pk,
      number: Number(pk),
      slug,
      name: textOf(fields.name) ?? slug,
      platform: textOf(fields.platform),
      teams: (links.get(pk) ?? [])
        .map((link) => String(link.fields.team))
        .filter((team) => teamIds.has(team)),
      keys: (keys.get(pk) ?? []).flatMap(keyOf),
      createdAt: timeOf(fields.date_added),
      fingerprintRules: option('sentry:fingerprinting_rules'),
      stackTraceRules: option('sentry:grouping_enhancements'),
      ownershipRules: textOf(ownership.get(pk)?.[0]?.fields.raw, LONG_TEXT_CHARACTERS_MAX),
    };
  }
}

const groupByProject = (rows: readonly ExportRow[]) =>
  Map.groupBy(rows, ({ fields }) => String(fields.project));

function keyOf(key: ExportRow): RecordOf<'project'>['keys'] {
  const publicKey = hexOf(key.fields.public_key);
  if (publicKey === null) return [];
  return [{ publicKey, label: textOf(key.fields.label), isActive: numberOf(key.fields.status) === ACTIVE }];
}

/** Options are JSON in a text. */
function optionText(option: ExportRow | undefined): string | null {
  const value = parsedOf(option?.fields.value);
  return typeof value === 'string' ? textOf(value, LONG_TEXT_CHARACTERS_MAX) : null;
}
