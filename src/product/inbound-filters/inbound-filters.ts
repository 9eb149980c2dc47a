import { invalid } from '#lib/errors.ts';
import { DAY_MS } from '#lib/time.ts';
import { parseIpRange } from '#pipeline/filter/ip-ranges.ts';
import { compileGlob } from '#pipeline/patterns/glob.ts';
import type { Context } from '#product/context.ts';
import { requireRight } from '#product/permissions.ts';
import { getIngestSettings, replaceIngestSettings } from '#product/project-settings.ts';
import { getOutcomeSeries } from '#product/stats/get-outcome-series.ts';
import { alignRange } from '#product/time-buckets.ts';
import { BROWSER_FILTERS, type FilterSettings, NO_FILTERS } from '#protocol/ingest-settings.ts';
import { type FilterList, LISTED_FILTERS } from './filter-catalogue.ts';

/** Throws NotFound when the organization has no such project that the actor may see. */
export async function getInboundFilters(ctx: Context, projectSlug: string): Promise<FilterSettings> {
  return (await getIngestSettings(ctx, projectSlug)).settings.filters;
}

/** Changes filters for events digested from now on. Throws Invalid, naming the list and the line, and NotFound. */
export async function updateInboundFilters(
  ctx: Context,
  input: { projectSlug: string; change: Partial<FilterSettings> },
): Promise<FilterSettings> {
  requireRight(ctx, 'project:write');
  const { project, settings } = await getIngestSettings(ctx, input.projectSlug);
  const change = checkChange(input.change);
  return replaceIngestSettings(
    ctx,
    project,
    'filters',
    { ...settings.filters, ...change },
    {
      action: 'project.filters.edit',
      data: { fields: Object.keys(change) },
    },
  );
}

/** The change with every list cleaned: trimmed, without blank and repeated entries. */
function checkChange(change: Partial<FilterSettings>): Partial<FilterSettings> {
  const checked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(change)) {
    if (!Object.hasOwn(NO_FILTERS, name) || value === undefined) continue;
    const list = LISTED_FILTERS.find(({ setting }) => setting === name);
    if (list) {
      const { entries, problems } = checkFilterLines(list.setting, (value as readonly string[]).join('\n'));
      const [first] = problems;
      if (first) throw invalid(`${list.name}, line ${first.line} ("${first.text}"): ${first.problem}`, name);
      checked[name] = entries;
    } else if (name === 'legacyBrowsers') {
      const chosen = value as FilterSettings['legacyBrowsers'];
      const unknown = chosen.find((browser) => !BROWSER_FILTERS.includes(browser));
      if (unknown !== undefined) {
        throw invalid(
          `"${unknown}" is not a supported browser: choose one of ${BROWSER_FILTERS.join(', ')}`,
          name,
        );
      }
      checked[name] = BROWSER_FILTERS.filter((browser) => chosen.includes(browser));
    } else {
      checked[name] = value === true;
    }
  }
  return checked;
}

/** As the page of outcomes counts its 30 days: today included. */
const DAYS = 30;

/** Items of the last 30 days that each filter dropped, by the reason of the outcome; absent for none. */
export async function countFiltered(
  ctx: Context,
  projectSlug: string,
): Promise<Readonly<Record<string, number>>> {
  const toMs = ctx.now();
  const range = alignRange({ fromMs: toMs - (DAYS - 1) * DAY_MS, toMs }, DAY_MS);
  const series = await getOutcomeSeries(ctx, { projectSlugs: [projectSlug], range, bucketMs: DAY_MS });
  const counts: Record<string, number> = {};
  for (const { outcome, reason, total } of series) {
    if (outcome === 'filtered') counts[reason] = (counts[reason] ?? 0) + total;
  }
  return counts;
}

const LINES_MAX = 500;

/** `line` counts from 1, blank ones included. */
export type LineProblem = { line: number; text: string; problem: string };

/** Reads the text of one list, one entry a line: the entries, and what is wrong with which line. */
export function checkFilterLines(
  list: FilterList,
  text: string,
): { entries: readonly string[]; problems: readonly LineProblem[] } {
  const entries: string[] = [];
  const problems: LineProblem[] = [];
  for (const [index, sent] of text.split(/\r\n|\r|\n/).entries()) {
    const entry = sent.trim();
    if (entry === '' || entries.includes(entry)) continue;
    if (entries.length >= LINES_MAX) {
      problems.push({ line: index + 1, text: entry, problem: `at most ${LINES_MAX} lines are allowed` });
      break;
    }
    const problem = problemOf(list, entry);
    if (problem !== null) problems.push({ line: index + 1, text: entry, problem });
    entries.push(entry);
  }
  return { entries, problems };
}

function problemOf(list: FilterList, entry: string): string | null {
  if (/\p{Cc}/u.test(entry)) return 'contains a control character';
  if (list !== 'ipAddresses') return compileGlob(entry).problem;
  return parseIpRange(entry) === null
    ? 'is not a valid IP address or range: use a format such as 203.0.113.7, 198.51.100.0/24, or 2001:db8::/32'
    : null;
}
