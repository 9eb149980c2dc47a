import type { IngestSettings } from '#protocol/ingest-settings.ts';
import { compileFilters, type Filters } from './filter/filters.ts';
import { DEFAULT_GROUPING_RULES } from './grouping/compile-grouping-rules.ts';
import type { GroupingRules } from './grouping/grouping-types.ts';
import { compileScrubber, type Scrubber } from './scrub/scrubber.ts';

/** A project's settings, made ready: patterns compiled, lists turned into sets. */
export type IngestRules = {
  settings: IngestSettings;
  filters: Filters;
  scrubber: Scrubber;
  grouping: GroupingRules;
};

/** Never throws: a rule that cannot be read is left out (it was refused when it was saved). */
export const compileIngestRules = (
  settings: IngestSettings,
  grouping: GroupingRules = DEFAULT_GROUPING_RULES,
): IngestRules => ({
  settings,
  filters: compileFilters(settings.filters),
  scrubber: compileScrubber(settings.privacy),
  grouping,
});
