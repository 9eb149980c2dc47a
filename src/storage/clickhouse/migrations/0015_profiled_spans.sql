-- The continuous profiler that ran during a span, as transactions, spans of their own and older SDKs name it: the transactions
-- of a profile are found without reading all attributes. Parts that were there before work it out when they are read.
ALTER TABLE spans ADD COLUMN IF NOT EXISTS profiler_id String
  MATERIALIZED lower(replaceAll(coalesce(
    nullIf(attributes_text['profiler_id'], ''),
    nullIf(attributes_text['sentry.profiler_id'], ''),
    attributes_text['profiler.id']
  ), '-', ''))
  CODEC(ZSTD(1));
