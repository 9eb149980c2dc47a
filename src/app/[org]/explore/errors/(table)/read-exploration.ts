import { isErrataError } from '#lib/errors.ts';
import { orUnavailable } from '#lib/or-unavailable.ts';
import type { Context } from '#product/context.ts';
import {
  countExploredEvents,
  type ExploredRow,
  type ExploredTrend,
  type GroupedEvents,
  groupExploredEvents,
  listExploredEvents,
  type Question,
} from '#product/explore/explored-events.ts';
import { type ExploreState, PAGE_ROWS } from '../explore-state.ts';

/** The answer to a question, or why there is none; `field` names the input that is wrong. */
export type Exploration =
  | { kind: 'events'; trend: ExploredTrend; rows: readonly ExploredRow[]; nextCursor: string | null }
  | ({ kind: 'groups'; trend: ExploredTrend; field: string } & GroupedEvents)
  | { kind: 'invalid'; message: string; field: string | null }
  | { kind: 'unavailable'; reason: string };

/** A search may take longer than other parts of a page; its own bound ends it first. */
const ANSWER_MS_MAX = 25_000;

export async function readExploration(
  ctx: Context,
  question: Question,
  state: ExploreState,
): Promise<Exploration> {
  try {
    const answer = await orUnavailable(
      state.group === null ? readEvents(ctx, question, state) : readGroups(ctx, question, state, state.group),
      ANSWER_MS_MAX,
    );
    return answer.ok ? answer.value : { kind: 'unavailable', reason: answer.reason };
  } catch (error) {
    if (!isErrataError(error) || error.code !== 'invalid') throw error;
    return { kind: 'invalid', message: error.message, field: error.field };
  }
}

async function readEvents(ctx: Context, question: Question, state: ExploreState): Promise<Exploration> {
  const { columns, order, cursor } = state;
  const [trend, page] = await Promise.all([
    countExploredEvents(ctx, question),
    listExploredEvents(ctx, question, { columns, order, limit: PAGE_ROWS, cursor }),
  ]);
  return { kind: 'events', trend, ...page };
}

async function readGroups(
  ctx: Context,
  question: Question,
  { groupSort: sort, isDescending, offset }: ExploreState,
  field: string,
): Promise<Exploration> {
  const [trend, page] = await Promise.all([
    countExploredEvents(ctx, question),
    groupExploredEvents(ctx, question, { field, sort, isDescending, limit: PAGE_ROWS, offset }),
  ]);
  return { kind: 'groups', trend, field, ...page };
}
