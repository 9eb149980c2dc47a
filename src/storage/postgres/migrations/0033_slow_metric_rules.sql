-- How long the last look took, and when the next one is due: what asks the store for long is looked at less often.
ALTER TABLE alert_rules
  ADD COLUMN metric_took_ms integer,
  ADD COLUMN metric_next_at timestamptz;

-- Of a change: what was measured, and what it was before. Null for what is no change, and for older rows.
ALTER TABLE alert_firings
  ADD COLUMN measured double precision,
  ADD COLUMN measured_before double precision;
