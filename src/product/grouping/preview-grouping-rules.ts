import { setImmediate as nextTurn } from 'node:timers/promises';
import { conflict } from '#lib/errors.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { eventScope, getProject } from '#product/visible-projects.ts';
import type { TimeRange } from '#storage/ports/events.ts';
import { describePreview, type RegroupPreview } from './describe-preview.ts';
import { groupStored } from './explain-grouping.ts';
import type { GroupingRuleTexts } from './grouping-change.ts';
import { requireGroupingRules } from './grouping-rules.ts';
import { PairCollector } from './pair-collector.ts';
import { planRegroup } from './plan-regroup.ts';

/** Events are looked at for so long; what comes then is told within a second more. */
const LOOKING_MS = 3_600;
const HASHES_MAX = 50_000;
/** Events between two turns of the event loop, so that other pages are answered meanwhile. */
const EVENTS_PER_TURN = 20;
const PREVIEWS_AT_ONCE_MAX = 2;

let running = 0;

/** Tries rules on stored events of each hash; changes nothing. Throws Invalid naming a line, Conflict when busy. */
export async function previewGroupingRules(
  ctx: Context,
  input: { projectSlug: string; texts: GroupingRuleTexts; range: TimeRange },
): Promise<RegroupPreview> {
  requireRight(ctx, 'project:write');
  const project = await getProject(ctx, input.projectSlug);
  const { rules } = requireGroupingRules(input.texts);
  if (running >= PREVIEWS_AT_ONCE_MAX)
    throw conflict('Other previews are in progress: try again in a moment');
  running += 1;
  const startedAt = performance.now();
  const signal = AbortSignal.timeout(LOOKING_MS);
  try {
    const { regroupEvents, regroups, issues } = ctx.stores;
    const organizationId = ctx.organization.id;
    const scope = eventScope(ctx, [project.id]);
    const samples = await regroupEvents.findSamples(scope, input.range, HASHES_MAX);
    const collector = new PairCollector();
    const eventOf = new Map<string, string>();
    let events = 0;
    reading: for await (const block of samples.read(signal)) {
      for (const event of block) {
        if (signal.aborted) break reading;
        if (events % EVENTS_PER_TURN === EVENTS_PER_TURN - 1) await nextTurn();
        if (event.payload === null) continue;
        const { hash, title } = groupStored(event.payload, rules);
        collector.add(event, hash, title);
        eventOf.set(`${event.hash} ${hash}`, event.eventId);
        events += 1;
      }
    }
    const { pairs } = collector.take();
    const index = await regroups.findHashIndex(organizationId, project.id, [
      ...new Set(pairs.flatMap(({ from, to }) => [from, to])),
    ]);
    const sampled = await regroups.findMap(organizationId, project.id, samples.hashes);
    const plan = planRegroup(pairs, index);
    return await describePreview({
      pairs,
      index,
      plan,
      eventOf,
      eventsSeen: events,
      issuesInPeriod: new Set(sampled.values()).size,
      findIssues: (issueIds) => issues.findByIds(organizationId, issueIds),
      tookMs: () => Math.round(performance.now() - startedAt),
    });
  } finally {
    running -= 1;
  }
}
