import { type MigrationFacts, UNKNOWN_MIGRATION } from '#lib/migration-facts.ts';

const instant = (summary: string, isCompatible: boolean): MigrationFacts => ({
  summary,
  cost: null,
  isCompatible,
});

/**
 * Of every file of `migrations/`. A table that a version fills beside the one with the rows makes it incompatible: what an
 * older version stores is missing there.
 */
const FACTS: Readonly<Record<string, MigrationFacts>> = {
  '0001_events.sql': instant('The events of issues', false),
  '0002_telemetry.sql': instant('Transactions, spans, logs, metrics, sessions, replays and profiles', false),
  '0003_event_index.sql': {
    summary: 'An index of the events of each issue, filled from stored events',
    cost: { tables: ['events'], passes: 1, growth: 0.1 },
    isCompatible: false,
  },
  '0004_search.sql': instant('What events are searched by', false),
  '0005_regroup.sql': instant('Events moved by grouping rules', false),
  '0006_event_values.sql': {
    summary: 'The search index, filled from stored events',
    // 13 statements, most of which read JSON: as long as so many plain ones.
    cost: { tables: ['events'], passes: 50, growth: 0.25 },
    isCompatible: false,
  },
  '0007_reprocess.sql': instant('Uploads applied to stored events', false),
  '0008_event_index_names.sql': {
    summary: 'Environment and release in the index of events, filled from stored events',
    cost: { tables: ['events'], passes: 1, growth: 0.1 },
    isCompatible: false,
  },
  '0009_days_in_one_part.sql': instant('Finished days of spans, logs and metrics are merged', true),
  '0011_uptime_checks.sql': instant('Checks of uptime monitors', true),
  '0012_replay_facts.sql': instant('Users, browsers and clicks of replays', true),
  // The store keeps it up to date, whoever inserts; what is stored already is added in the background.
  '0014_rows_by_user.sql': {
    summary: 'Rows in the order of users, added in the background',
    cost: { tables: ['events', 'transactions'], passes: 0, growth: 0.15 },
    isCompatible: true,
  },
  '0015_profiled_spans.sql': instant('Which profiler ran during a span', true),
  '0016_person_rows.sql': instant('Rows that belong to a person whose data is requested', true),
  '0017_event_index_times.sql': instant('Smaller times in the index of events', true),
  '0018_rarer_trace_filters.sql': {
    summary: 'Filters that find a trace with fewer mistakes, made in the background',
    cost: { tables: ['logs', 'spans'], passes: 0, growth: 0.01 },
    isCompatible: true,
  },
  '0019_quicker_attributes.sql': instant('Attributes of new rows that are quicker to read', true),
  '0020_attribute_names.sql': {
    summary: 'Filters of the names of attributes, made in the background',
    cost: { tables: ['spans', 'logs', 'metrics'], passes: 0, growth: 0.01 },
    isCompatible: true,
  },
};

export const factsOf = (name: string): MigrationFacts => FACTS[name] ?? UNKNOWN_MIGRATION;
export const factNames = (): readonly string[] => Object.keys(FACTS);
