import { problemOfSchedule } from '#domain/monitors/run-times.ts';
import { isTimeZone } from '#domain/monitors/zoned-time.ts';
import { invalid } from '#lib/errors.ts';
import { slugOfMonitor } from '#pipeline/check-ins/monitor-config.ts';
import { listAssignees } from '#product/assignment/assignees.ts';
import type { Context } from '#product/context.ts';
import type { Monitor, MonitorSettings } from './monitor.ts';
import type { MonitorFields } from './store/monitor-store.ts';
import { MARGIN_MINUTES_MAX, RUNTIME_MINUTES_MAX, THRESHOLD_MAX } from './watch/watch-settings.ts';

export type MonitorOwner = { kind: 'user'; userId: string } | { kind: 'team'; teamId: number };

/** What people and the API give; absent fields stay as they are, or get their defaults. */
export type MonitorInput = Partial<MonitorSettings> & {
  name?: string;
  slug?: string;
  owner?: MonitorOwner | null;
  isDisabled?: boolean;
  isMuted?: boolean;
};

const NAME_CHARACTERS_MAX = 128;

/** Throws Invalid, which names the field. */
export async function checkMonitor(
  ctx: Context,
  before: MonitorFields,
  input: MonitorInput,
): Promise<MonitorFields> {
  const { owner, ...given } = input;
  const fields: MonitorFields = { ...before, ...definedOf(given) };
  const name = fields.name.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX) {
    throw invalid(`Enter a name of 1 to ${NAME_CHARACTERS_MAX} characters`, 'name');
  }
  const settings = checkSettings(fields);
  return {
    ...fields,
    ...settings,
    name,
    ...(owner === undefined ? {} : await checkOwner(ctx, owner)),
  };
}

/** The slug of a new monitor, from its name unless it is given. Throws Invalid. */
export function checkSlug(name: string, given: string | undefined): string {
  const wanted = given?.trim() ?? '';
  const slug = slugOfMonitor(wanted || name);
  if (slug === '') throw invalid('Enter a slug of lowercase letters, digits, _ and -', 'slug');
  if (wanted !== '' && slug !== wanted) {
    throw invalid(`Use lowercase letters, digits, _ and - only, such as ${slug}`, 'slug');
  }
  if (/^\d+$/.test(slug)) throw invalid('Add a letter to the slug: it cannot be only digits', 'slug');
  return slug;
}

function checkSettings(fields: MonitorFields): Partial<MonitorSettings> {
  const { schedule, timeZone } = fields;
  if (!isTimeZone(timeZone)) {
    throw invalid(`"${timeZone}" is not a time zone: use a name such as Europe/Vienna or UTC`, 'timeZone');
  }
  const problem = schedule && problemOfSchedule(schedule, timeZone);
  if (problem) throw invalid(problem, 'schedule');
  const whole = (name: keyof typeof MAXIMA): number => {
    const value = fields[name];
    const max = MAXIMA[name];
    if (!Number.isInteger(value) || value < 0 || value > max) {
      throw invalid(`Enter a whole number from 1 to ${max}`, name);
    }
    return Math.max(1, value);
  };
  return {
    checkinMargin: whole('checkinMargin'),
    maxRuntime: whole('maxRuntime'),
    failureIssueThreshold: whole('failureIssueThreshold'),
    recoveryThreshold: whole('recoveryThreshold'),
  };
}

const MAXIMA = {
  checkinMargin: MARGIN_MINUTES_MAX,
  maxRuntime: RUNTIME_MINUTES_MAX,
  failureIssueThreshold: THRESHOLD_MAX,
  recoveryThreshold: THRESHOLD_MAX,
} as const;

async function checkOwner(
  ctx: Context,
  owner: MonitorOwner | null,
): Promise<Pick<Monitor, 'ownerUserId' | 'ownerTeamId'>> {
  if (owner === null) return { ownerUserId: null, ownerTeamId: null };
  const { members, teams } = await listAssignees(ctx);
  if (owner.kind === 'user' && members.some(({ id }) => id === owner.userId)) {
    return { ownerUserId: owner.userId, ownerTeamId: null };
  }
  if (owner.kind === 'team' && teams.some(({ id }) => id === owner.teamId)) {
    return { ownerUserId: null, ownerTeamId: owner.teamId };
  }
  throw invalid(`${ctx.organization.slug} has no such ${owner.kind === 'user' ? 'member' : 'team'}`, 'owner');
}

const definedOf = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
