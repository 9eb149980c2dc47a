import type {
  AlertFiring,
  AlertRule,
  AlertTrigger,
  FiringDigest,
  MetricState,
} from '#domain/alerts/alert-rule.ts';
import { ISSUES_NAMED_MAX } from '#domain/alerts/delivery-budgets.ts';
import type { Issue } from '#domain/issues/issue.ts';
import type { Project } from '#domain/projects.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import { findCrashFrame, functionOf, positionOf } from '#product/events/frame-names.ts';
import { findIssueEvents } from '#product/issues/issue-events.ts';
import { findSuspectCommits } from '#product/suspect-commits/find-suspect-commits.ts';
import { eventScope } from '#product/visible-projects.ts';
import type { StoredEvent } from '#storage/ports/events.ts';
import type { AlertIssue, AlertMessage, AlertMetric } from './alert-message.ts';
import { countUsers } from './count-users.ts';
import { type AlertDigest, describeMetric, headlineOf, introOf, linkOf, toneOf } from './describe-alert.ts';
import { plainLine } from './escape.ts';

/** A function may have 200 characters. */
const CONDITION_CHARACTERS_MAX = 400;
const TITLE_CHARACTERS_MAX = 300;
const CULPRIT_CHARACTERS_MAX = 200;
const NAME_CHARACTERS_MAX = 100;
const RULES_NAMED_MAX = 5;

/**
 * What came together, as far as who it is for may see it; null when nothing of it is left. `ctx` is that of the
 * reader, or of the system for a destination, which sees what its rules see. An event is looked up when there is one issue
 * only, and with `needsEvent` for the first of several.
 */
export async function composeAlert(
  ctx: Context,
  firings: FiringDigest,
  projects: readonly Project[],
  needsEvent = false,
): Promise<AlertMessage | null> {
  const visible = firings.named.filter(({ projectId }) => projects.some(({ id }) => id === projectId));
  const rules = await findRules(ctx, [
    ...new Set([...firings.ruleIds, ...visible.map(({ ruleId }) => ruleId)]),
  ]);
  const metrics = visible.flatMap((firing) => alertMetric(ctx, firing, rules, projects));
  const issues = await describeAlertIssues(ctx, visible, needsEvent);
  if (issues.length + metrics.length === 0) return null;
  // What the reader may not see is neither named nor counted; of what is gone by now nothing is left to tell.
  const isAllVisible = visible.length === firings.named.length;
  const issuesLeft = isAllVisible && issues.length > 0 ? firings.issues - named(firings, false) : 0;
  const metricsLeft = isAllVisible ? firings.metrics - named(firings, true) : 0;
  const digest: AlertDigest = { issues, issuesLeft, metrics, metricsLeft, firings };
  const rulesNamed = firings.ruleIds
    .flatMap((id) => rules.find((rule) => rule.id === id) ?? [])
    .filter(({ projectId }) => projects.some(({ id }) => id === projectId))
    .slice(0, RULES_NAMED_MAX);
  return {
    isTest: false,
    organization: ctx.organization,
    headline: headlineOf(digest),
    intro: introOf(digest),
    tone: toneOf(digest),
    link: linkOf(ctx, digest),
    issues,
    issuesLeft,
    metrics,
    metricsLeft,
    rules: rulesNamed.map(({ id, name }) => ({
      id,
      name: plainLine(name, NAME_CHARACTERS_MAX),
      url: ruleUrl(ctx, id),
    })),
    at: ctx.now(),
  };
}

const named = (firings: FiringDigest, isMetric: boolean): number =>
  firings.named.filter(({ issueId }) => (issueId === null) === isMetric).length;

async function findRules(ctx: Context, ruleIds: readonly number[]): Promise<readonly AlertRule[]> {
  const found = await Promise.all(
    ruleIds.map((ruleId) => ctx.stores.alertRules.find(ctx.organization.id, ruleId)),
  );
  return found.filter((rule) => rule !== null);
}

function alertMetric(
  ctx: Context,
  firing: AlertFiring,
  rules: readonly AlertRule[],
  projects: readonly Project[],
): readonly AlertMetric[] {
  const rule = rules.find(({ id }) => id === firing.ruleId);
  if (firing.issueId !== null || rule?.definition.kind !== 'metric') return [];
  const project = projects.find(({ id }) => id === firing.projectId);
  return [
    {
      ruleId: rule.id,
      firingId: firing.id,
      name: plainLine(rule.name, NAME_CHARACTERS_MAX),
      projectSlug: project?.slug ?? '',
      // The table of firings holds the state of a metric as its cause.
      state: firing.cause as MetricState,
      value: firing.value,
      measured: firing.measured,
      measuredBefore: firing.measuredBefore,
      definition: rule.definition,
      condition: plainLine(
        describeMetric(rule.definition, firing.cause as MetricState),
        CONDITION_CHARACTERS_MAX,
      ),
      query: plainLine(rule.definition.query, TITLE_CHARACTERS_MAX),
      environment: rule.environment,
      url: ruleUrl(ctx, rule.id),
      firedAt: firing.firedAt,
      ruleCreatedAt: rule.createdAt,
      ruleUpdatedAt: rule.updatedAt,
    },
  ];
}

async function describeAlertIssues(
  ctx: Context,
  firings: readonly AlertFiring[],
  needsEvent: boolean,
): Promise<readonly AlertIssue[]> {
  const ids = firings
    .flatMap(({ issueId }) => (issueId === null ? [] : [issueId]))
    .slice(0, ISSUES_NAMED_MAX);
  if (ids.length === 0) return [];
  const found = new Map(
    (await ctx.stores.issues.findByIds(ctx.organization.id, ids)).map((issue) => [issue.id, issue]),
  );
  const pairs = firings.flatMap((firing) => {
    const issue = firing.issueId === null ? undefined : found.get(firing.issueId);
    return issue ? [{ firing, issue }] : [];
  });
  const users = await countUsers(ctx, [...found.values()]);
  const [first] = pairs;
  const isWanted = needsEvent || pairs.length === 1;
  const detailsOfFirst = first && isWanted ? await findDetails(ctx, first.issue, first.firing) : NO_DETAILS;
  return pairs.map(({ firing, issue }, index): AlertIssue => {
    const details = index === 0 ? detailsOfFirst : NO_DETAILS;
    return {
      issue,
      cause: firing.cause as AlertTrigger,
      title: plainLine(issue.title, TITLE_CHARACTERS_MAX),
      culprit: plainLine(issue.culprit, CULPRIT_CHARACTERS_MAX),
      users: users.get(issue.id) ?? null,
      release: issue.lastRelease && plainLine(issue.lastRelease, NAME_CHARACTERS_MAX),
      url: `${ctx.publicUrl}/${ctx.organization.slug}/issues/${issue.shortId}`,
      ...details,
      ...(details.event?.release && { release: plainLine(details.event.release, NAME_CHARACTERS_MAX) }),
    };
  });
}

type Details = Pick<AlertIssue, 'crashLocation' | 'environment' | 'suspect' | 'event'>;
const NO_DETAILS: Details = { crashLocation: null, environment: null, suspect: null, event: null };

async function findDetails(ctx: Context, issue: Issue, firing: AlertFiring): Promise<Details> {
  const read = await orUnavailable(findEvent(ctx, issue, firing));
  const event = read.ok ? read.value : null;
  if (!event) return NO_DETAILS;
  const frame = findCrashFrame(event.payload);
  const suspects = await orUnavailable(findSuspectCommits(ctx, issue, event));
  const [suspect] = suspects.ok ? suspects.value : [];
  return {
    crashLocation:
      frame &&
      plainLine(`${functionOf(frame)} in ${positionOf(frame) || issue.culprit}`, CULPRIT_CHARACTERS_MAX),
    environment: event.environment && plainLine(event.environment, NAME_CHARACTERS_MAX),
    suspect: suspect
      ? {
          subject: plainLine(
            suspect.commit.message.split('\n')[0] || suspect.commit.key,
            NAME_CHARACTERS_MAX,
          ),
          author: plainLine(
            suspect.commit.author.memberName ?? suspect.commit.author.name ?? 'someone',
            NAME_CHARACTERS_MAX,
          ),
          url: suspect.commit.url,
        }
      : null,
    event,
  };
}

async function findEvent(ctx: Context, issue: Issue, { eventId }: AlertFiring): Promise<StoredEvent | null> {
  const scope = eventScope(ctx, [issue.projectId]);
  const { events } = ctx.stores;
  const fired = eventId === null ? null : await events.findEvent(scope, eventId);
  if (fired) return fired;
  const [own] = await findIssueEvents(ctx, [issue]);
  return own ? events.findEdgeEvent(scope, own, 'recommended') : null;
}

const ruleUrl = ({ publicUrl, organization }: Context, ruleId: number): string =>
  `${publicUrl}/${organization.slug}/alerts/${ruleId}`;
