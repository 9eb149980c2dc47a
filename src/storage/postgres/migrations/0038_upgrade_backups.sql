-- A backup that a start makes before it migrates.
ALTER TABLE backup_runs DROP CONSTRAINT backup_runs_origin_check;
ALTER TABLE backup_runs ADD CONSTRAINT backup_runs_origin_check
  CHECK (origin IN ('schedule', 'request', 'command', 'upgrade'));
